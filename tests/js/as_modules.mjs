// The scripts of the pages are ES modules for browsers; this tells node so without a package.json beside them.
import { register } from "node:module";

register("./hooks.mjs", import.meta.url);
