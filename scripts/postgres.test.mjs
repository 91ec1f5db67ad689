import { spawn, spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startPostgres } from './postgres.mjs'
import { findPostgres } from './steps/programs/findPostgres.mjs'
import { root } from './steps/root.mjs'

/**
 * @param {string} url
 * @param {string} sql
 */
function query(url, sql) {
  const psql = join(findPostgres() ?? '', 'psql')
  const { stdout, stderr } = spawnSync(psql, [url, '-X', '-A', '-t', '-c', sql], { encoding: 'utf8' })
  return stdout.trim() || stderr.trim()
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** @param {() => boolean} condition */
async function waitFor(condition) {
  for (let i = 0; i < 200 && !condition(); i++) await new Promise((done) => setTimeout(done, 50))
  return condition()
}

test('a cluster responds, keeps its data over a restart, and leaves nothing behind', async () => {
  const postgres = await startPostgres({ settings: { work_mem: '7MB' } })
  expect(query(postgres.url, 'show fsync')).toBe('off')
  expect(query(postgres.url, 'show work_mem')).toBe('7MB')
  expect(query(postgres.url, 'show listen_addresses')).toBe('127.0.0.1')
  expect(query(postgres.url, 'show server_encoding')).toBe('UTF8')
  expect(statSync(postgres.dir).mode & 0o777).toBe(0o700)

  query(postgres.url, 'create table kept (a int)')
  const before = postgres.pid()
  await postgres.restart()
  expect(postgres.pid()).not.toBe(before)
  expect(query(postgres.url, 'select count(*) from kept')).toBe('0')

  await postgres.stop()
  expect(isAlive(postgres.pid())).toBe(false)
  expect(existsSync(postgres.dir)).toBe(false)
})

test('two clusters stand side by side', async () => {
  const [left, right] = await Promise.all([startPostgres(), startPostgres()])
  expect(left.port).not.toBe(right.port)
  await Promise.all([left.stop(), right.stop()])
})

test('a cluster ends with the process that started it, even by kill -9', async () => {
  const program = `
    const { startPostgres } = await import(${JSON.stringify(join(root, 'scripts/postgres.mjs'))})
    const postgres = await startPostgres()
    console.log(JSON.stringify({ pid: postgres.pid(), dir: postgres.dir }))
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const line = await new Promise((resolve) => child.stdout.once('data', resolve))
  const { pid, dir } = JSON.parse(String(line))
  expect(isAlive(pid)).toBe(true)
  child.kill('SIGKILL')
  expect(await waitFor(() => !isAlive(pid) && !existsSync(dir))).toBe(true)
})

test('settings that PostgreSQL refuses are reported with its own words', async () => {
  await expect(startPostgres({ settings: { no_such_setting: 1 } })).rejects.toThrow('no_such_setting')
})
