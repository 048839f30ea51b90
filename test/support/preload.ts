// Runs before every test file.

import './folders.ts';
