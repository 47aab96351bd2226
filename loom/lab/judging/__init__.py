"""Judging: answers graded against a reference, relations audited, pages compared, people asked. Every verdict says who gave it, by
which rubric and to which prompt, so that a broken-off judging goes on where it stopped."""
