"""Studies: one TOML file each, read into a frozen value."""

from loom.lab.study.file import arms_of, read
from loom.lab.study.member import AGAIN, READER, Member, Price
from loom.lab.study.study import Contrast, Family, Judging, Statistics, Study

__all__ = ["AGAIN", "READER", "Contrast", "Family", "Judging", "Member", "Price", "Statistics", "Study", "arms_of", "read"]
