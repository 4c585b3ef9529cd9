import assert from "node:assert/strict";
import { test } from "node:test";

import { next } from "../../referee/static/desk/search_results.js";

test("the arrow keys go through what was found, and back into the line above it", () => {
  assert.equal(next(-1, 1, 3), 0);
  assert.equal(next(0, 1, 3), 1);
  assert.equal(next(2, 1, 3), 2);
  assert.equal(next(0, -1, 3), -1);
  assert.equal(next(-1, -1, 3), -1);
  assert.equal(next(-1, 1, 0), -1);
});
