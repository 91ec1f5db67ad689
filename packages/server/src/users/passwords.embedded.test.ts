import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { seedFolder } from '../testing/seedFolder.ts'
import { ready, startProcess } from '../testing/startProcess.ts'

// In processes of their own, as servers run: the one of the tests hashes at a lower cost.

test('P16: passwords are hashed by Argon2id with no less than 19 MiB and two passes', () => {
  const passwords = JSON.stringify(new URL('../../dist/users/passwords.js', import.meta.url).href)
  const source = `
    import { checkPassword, hashPassword } from ${passwords}
    const stored = await hashPassword('x')
    console.log(stored, await checkPassword(stored, 'x'), await checkPassword(stored, 'y'))`
  const told = execFileSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' })
  expect(told).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$\S+ true false\n$/)
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
      const times: number[] = []
      for (let i = 0; i < 5; i++) {
        const start = performance.now()
        expect(await post('/login', { username: `${username}${i}`, password: 'wrong' })).toBe(404)
        times.push(performance.now() - start)
      }
      return times.sort((a, b) => a - b)[2] as number
    }
    for (let i = 0; i < 5; i++) expect(await post('/users', { username: `known${i}`, password: 'right' })).toBe(201)
    const [known, unknown] = [await time('known'), await time('unknown')]
    // Without the dummy hash an unknown user is answered some thirty times faster.
    expect(unknown).toBeGreaterThan(known / 3)
    expect(known).toBeGreaterThan(unknown / 3)
  } finally {
    server.child.kill('SIGTERM')
    await server.exited
    await rm(folder, { recursive: true, force: true })
  }
})
