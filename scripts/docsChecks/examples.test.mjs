import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startServer } from '../../e2e/lib/servers/startServer.mjs'
import { root } from '../steps/root.mjs'

test('examples/node-script signs in with a key, saves and finds', { timeout: 180_000 }, async () => {
  const server = await startServer({ appId: 'example' })
  try {
    const run = (/** @type {string[]} */ ...words) =>
      spawnSync(process.execPath, [join(root, 'examples/node-script/index.mjs'), ...words], {
        encoding: 'utf8',
        env: { ...process.env, COUNTERSIGN_URL: server.url, WALLET_KEY: `0x${'7'.repeat(64)}` },
      })
    expect(run()).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Signed in as .+\n1815 {2}ada\n$/) })
    const second = run('grace', '1906')
    expect(second.stdout.split('\n').slice(1)).toEqual(['1906  grace', '1815  ada', ''])
  } finally {
    await server.stop()
  }
})
