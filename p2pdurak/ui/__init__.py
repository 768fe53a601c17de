"""What people see and type; the only package that draws."""
