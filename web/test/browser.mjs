// Starts `sinew view` and a Chromium whose pages are driven by the tests.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

export const chromiumPath = process.env.SINEW_CHROMIUM ?? '/usr/bin/chromium';

export function launch() {
  return chromium.launch({
    executablePath: chromiumPath,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  });
}

/** A running `sinew view`: its address, and how to end it. */
export class Viewer {
  constructor(command, args) {
    if (!existsSync(command)) throw new Error(`${command} is not built`);
    this.process = spawn(command, ['view', '--no-open', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.errors = '';
    this.process.stderr.on('data', (text) => (this.errors += text));
  }

  /** The address it prints. */
  async address() {
    let printed = '';
    for await (const text of this.process.stdout) {
      printed += text;
      const found = /http:\/\/\S+/.exec(printed);
      if (found) {
        this.process.stdout.resume();
        return found[0];
      }
    }
    throw new Error(`sinew view ended without an address: ${this.errors}`);
  }

  async end(signal = 'SIGINT') {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    this.process.kill(signal);
    await once(this.process, 'exit');
  }
}

/** Opens the page and waits until it has drawn. */
export async function open(browser, address, size = { width: 480, height: 360 }) {
  const context = await browser.newContext({ viewport: size, deviceScaleFactor: 1 });
  const page = await context.newPage();
  page.problems = [];
  page.on('pageerror', (error) => page.problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') page.problems.push(message.text());
  });
  await page.goto(address);
  await page.waitForFunction(() => window.sinew?.stage.drawn > 0 && window.sinew.session.status, null, { timeout: 90000 });
  return page;
}

/** Waits until an expression of the page's state holds. */
export function until(page, condition, argument, timeout = 60000) {
  return page.waitForFunction(condition, argument, { timeout, polling: 50 });
}
