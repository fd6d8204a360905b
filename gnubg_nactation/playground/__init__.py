"""The playground: a static page that runs this package in a browser, and what it is asked there."""
