"""One constructor for each kind of joint."""
