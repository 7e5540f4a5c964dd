"""What names and paths of the configuration may be."""

from typing import Annotated

from pydantic import AfterValidator, Field

from cr5.base.parts import each_once, one_of

LONGEST = 60  # of names, which become file names and parts of them

CODE = "[a-z]{2,12}(_[a-z]+)*"
Code = Annotated[str, Field(pattern=f"^{CODE}$")]
"""An ISO 639-1 code in lower case, such as en or da; variants with an underscore, pt_br."""
Name = Annotated[str, Field(pattern=f"^[A-Za-z0-9][A-Za-z0-9_.]{{0,{LONGEST - 1}}}$")]
SettingName = Annotated[str, Field(pattern=f"^[A-Za-z0-9_]{{1,{LONGEST}}}$")]
Folder = Annotated[str, Field(pattern=r"^[^~{}$\x00-\x1f\x7f][^{}$\x00-\x1f\x7f]*$")]
"""A folder written out: without {, }, $, control characters, or ~ at the beginning."""


def holding(*parts: str) -> AfterValidator:
    """Accept text that contains all of the parts, such as `{language}`."""

    def check(value: str) -> str:
        if not all(part in value for part in parts):
            raise ValueError(f"Input should be a path with {' and '.join(parts)} in it")
        return value

    return AfterValidator(check)


Once = AfterValidator(each_once)
Known = Annotated[Code, one_of("languages")]
"""A language of the run."""
Codes = Annotated[list[Known], Field(min_length=1), Once]
Systems = Annotated[list[Annotated[Name, one_of("systems")]], Field(min_length=1), Once]
Tasks = Annotated[list[Annotated[Name, one_of("tasks")]], Field(min_length=1), Once]
