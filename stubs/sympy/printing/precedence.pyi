PRECEDENCE: dict[str, int]
