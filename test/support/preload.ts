// Runs before every test file.
