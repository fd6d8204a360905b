"""Files and folders of the machine."""
