"""`python -m condyle` is the command `condyle`."""

from .cli import main

if __name__ == "__main__":
    main()
