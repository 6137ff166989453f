// Bundles the page into dist/: index.html, app.js, app.css. `--watch` builds again on every change.
import { context } from 'esbuild';
import { cp, mkdir } from 'node:fs/promises';

const folder = new URL('.', import.meta.url).pathname;
const watch = process.argv.includes('--watch');

await mkdir(`${folder}dist`, { recursive: true });
await cp(`${folder}src/index.html`, `${folder}dist/index.html`);
const bundle = await context({
  absWorkingDir: folder,
  entryPoints: { app: 'src/main.ts' },
  outdir: 'dist',
  bundle: true,
  minify: !watch,
  format: 'iife',
  target: 'es2022',
  legalComments: 'eof', // the licenses of three.js and uPlot ask for their notices
  loader: { '.glsl': 'text' },
  logLevel: watch ? 'info' : 'warning',
});
if (watch) {
  await bundle.watch();
} else {
  await bundle.rebuild();
  await bundle.dispose();
}
