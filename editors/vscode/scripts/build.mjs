// Bundles the extension into dist/, or with --tests each unit test into build/test/.
import { build } from "esbuild";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";

const common = { bundle: true, platform: "node", format: "cjs", target: "node20", logLevel: "warning" };

if (process.argv.includes("--tests")) {
  const tests = readdirSync("test").filter((name) => name.endsWith(".test.ts"));
  await build({
    ...common,
    entryPoints: tests.map((name) => `test/${name}`),
    outdir: "build/test",
    sourcemap: "inline",
    packages: "external",
  });
} else {
  const { metafile } = await build({
    ...common,
    entryPoints: ["src/extension.ts"],
    outfile: "dist/extension.js",
    external: ["vscode"],
    minify: true,
    metafile: true,
  });
  writeFileSync("dist/ThirdPartyNotices.txt", notices(Object.keys(metafile.inputs)));
}

/** Licences of the packages that are bundled. */
function notices(inputs) {
  const folders = inputs.map((input) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/u.exec(input)?.[0]).filter(Boolean);
  const parts = [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/iu.test(entry));
    const text = file ? readFileSync(`${folder}/${file}`, "utf8").trim() : license;
    return `${name} ${version}\n\n${text}\n`;
  });
  return `The extension contains these packages.\n\n${parts.join("\n----\n\n")}`;
}
