"""``wingedge doctor``."""

from viewer.cli import NO, YES


def doctor() -> int:
    """Say what works here, and the fix for what does not.

    Pictures are tried in a child process. Exit code 1 if something that wingedge needs
    is missing or broken; "--" marks what is optional.
    """
    from viewer.doctor import examine

    failed = False
    for finding in examine():
        print(finding, flush=True)
        failed |= finding.status == "FAIL"
    return NO if failed else YES
