"""The full-screen console: what people see and press when they have a whole terminal."""
