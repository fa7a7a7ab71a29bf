"""Name the exit codes of the command line, for an overview that needs no parser."""

YES, NO, FAILED = 0, 1, 2  # 2: something could not be read or run
INTERRUPTED = 130  # 128 + SIGINT, as shells say
PIPE_CLOSED = 141  # 128 + SIGPIPE
