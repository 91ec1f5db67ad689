import { defineConfig } from '@playwright/test'
import { chromiumOptions } from './lib/chromiumOptions.mjs'

export default defineConfig({
  testDir: '.',
  globalSetup: './seed.config.mjs',
  workers: 2,
  // A test that passes on its second try is counted as flaky and named in the list; it does not hold a landing up.
  retries: 1,
  forbidOnly: Boolean(process.env.CI),
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    launchOptions: chromiumOptions,
    viewport: { width: 1280, height: 860 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
  },
})
