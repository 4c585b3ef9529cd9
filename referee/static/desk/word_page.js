// The search box as a page of its own.
import { watchHits } from "./word_hits.js";

watchHits(document.querySelector(".words-box"));
