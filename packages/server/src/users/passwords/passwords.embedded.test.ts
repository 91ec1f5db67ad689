import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { seedFolder } from '../../testing/seedFolder.ts'
import { ready, startProcess } from '../../testing/startProcess.ts'

// In processes of their own, as servers run: the one of the tests hashes at a lower cost.

test('P16: passwords are hashed by Argon2id with no less than 19 MiB and two passes', () => {
  const passwords = JSON.stringify(new URL('../../../dist/users/passwords/hashPassword.js', import.meta.url).href)
  const source = `
    import { checkPassword, hashPassword } from ${passwords}
    const stored = await hashPassword('x')
    console.log(stored, await checkPassword(stored, 'x'), await checkPassword(stored, 'y'))`
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' })
  expect(output).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$\S+ true false\n$/)
})

test('P16: unknown user and wrong password cost the same work', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cs-'))
  await seedFolder(folder)
  const server = await ready(await startProcess({ COUNTERSIGN_DATA: folder, COUNTERSIGN_APP_ID: 'app' }))
  try {
    const post = async (path: string, body: object) => {
      const headers = { 'X-Parse-Application-Id': 'app', 'Content-Type': 'application/json' }
      const answer = await fetch(`${server.url}/server${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      return answer.status
    }
    const time = async (username: string) => {
      const start = performance.now()
      expect(await post('/login', { username, password: 'wrong' })).toBe(404)
      return performance.now() - start
    }
    for (let i = 0; i < 5; i++) expect(await post('/users', { username: `known${i}`, password: 'right' })).toBe(201)
    // In turns, and the quickest of each: what else the machine does only ever adds to it.
    let [known, unknown] = [Infinity, Infinity]
    for (let i = 0; i < 5; i++) {
      known = Math.min(known, await time(`known${i}`))
      unknown = Math.min(unknown, await time(`unknown${i}`))
    }
    // Without the dummy hash an unknown user gets a response some thirty times faster.
    expect(unknown).toBeGreaterThan(known / 3)
    expect(known).toBeGreaterThan(unknown / 3)
  } finally {
    server.child.kill('SIGTERM')
    await server.exited
    await rm(folder, { recursive: true, force: true })
  }
})
