"""Write the recipes of a version for conda and Homebrew, with the checksum of its sources.

python scripts/recipes.py dist/gnubg_nactation-0.1.0.tar.gz FOLDER

`recipe.yaml` is for conda-forge (rattler-build), `gnubg-nactation.rb` for a tap of Homebrew. Both
take the sources from the release on GitHub.
"""

from __future__ import annotations

import hashlib
import sys
from importlib import import_module
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
CONDA = """\
schema_version: 1

package:
  name: gnubg-nactation
  version: "{version}"

source:
  url: {url}
  sha256: {sha256}

build:
  noarch: python
  number: 0
  script: python -m pip install . --no-deps --no-build-isolation
  python:
    entry_points:
      - nactate = {entry}

requirements:
  host:
    - python {python}
    - pip
    - {backend}
  run:
    - python {python}

tests:
  - python:
      imports:
        - gnubg_nactation
  - script:
      - nactate --version
      - nactate decode 54S-63R-31P

about:
  homepage: {home}
  summary: {summary}
  license: {license}
  license_file: LICENSE
"""
HOMEBREW = """\
class GnubgNactation < Formula
  include Language::Python::Virtualenv

  desc "Nactation, the one-character notation for backgammon plays"
  homepage "{home}"
  url "{url}"
  sha256 "{sha256}"
  license "{license}"

  depends_on "python@3.14"

  def install
    virtualenv_install_with_resources
  end

  test do
    assert_match "8/5 6/5", shell_output("#{{bin}}/nactate decode 54S-63R-31P")
  end
end
"""


def recipes(sources: Path) -> dict[str, str]:
    """Return the recipes, by file name, for an sdist that is named as in a release."""
    # Python 3.10, which the types are checked for, has no tomllib.
    toml = import_module("tomllib").loads(PROJECT.read_text(encoding="utf-8"))
    project, home = toml["project"], toml["project"]["urls"]["Source"]
    version = sources.name.removesuffix(".tar.gz").rpartition("-")[2]
    fields = {
        "version": version,
        "url": f"{home}/releases/download/v{version}/{sources.name}",
        "sha256": hashlib.sha256(sources.read_bytes()).hexdigest(),
        "home": home,
        "entry": project["scripts"]["nactate"],
        "python": project["requires-python"],
        "backend": "\n    - ".join(
            requirement.replace("==", " ==") for requirement in toml["build-system"]["requires"]
        ),
        "summary": project["description"],
        "license": project["license"],
    }
    templates = {"recipe.yaml": CONDA, "gnubg-nactation.rb": HOMEBREW}
    return {name: template.format(**fields) for name, template in templates.items()}


if __name__ == "__main__":
    for name, text in recipes(Path(sys.argv[1])).items():
        Path(sys.argv[2], name).write_text(text, encoding="utf-8")
