// The search box as a page of its own.
import { watchHits } from "./search_results.js";

watchHits(document.querySelector(".words-box"));
