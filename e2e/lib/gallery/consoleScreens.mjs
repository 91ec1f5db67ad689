import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../servers/startServer.mjs'
import { password } from '../steps/password.mjs'

/** @typedef {import('./screens.mjs').Screen} Screen */
/** @typedef {{ user: string, role: string, game: string }} Shown ids of a user, a role and an object to look at */

const masterKey = 'the master key of the gallery'

const cloudCode = `Parse.Cloud.define('joinGame', ({ params }) => params.game, {
  fields: { game: { type: String, required: true }, seats: { type: Number } },
})
Parse.Cloud.define('leaderboard', () => [])
Parse.Cloud.job('closeOldRounds', ({ message }) => message('24 rounds checked'))
`

/**
 * A server with cloud code, a place for backups, and a chain.
 *
 * @param {import('../servers/startWorld.mjs').World} world
 */
export async function startConsole(world) {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-console-'))
  const [cloud, backups] = [join(folder, 'cloud.js'), join(folder, 'backups')]
  await writeFile(cloud, cloudCode)
  await mkdir(backups)
  const chains = [{ id: world.chain, name: 'harbour', rpcUrls: [world.node] }]
  const server = await startServer({ masterKey, cloud, backup: { folder: backups }, usePublicNodes: false, chains })
  const stop = async () => {
    await server.stop()
    await rm(folder, { recursive: true })
  }
  return { url: server.url, stop }
}

const moreThanTwo = JSON.stringify([{ field: 'players', operator: 'above', value: '2' }])

const people = ['grace', 'alan', 'edsger', 'barbara', 'donald', 'radia', 'ken', 'margaret']

/**
 * Makes the owner an administrator of an installation with some life in it.
 *
 * @param {string} url
 * @param {string} username
 * @param {import('../servers/startWorld.mjs').World} world
 * @returns {Promise<Shown>}
 */
export async function fillConsole(url, username, world) {
  const { appId } = await (await fetch(`${url}/config.json`)).json()
  const headers = {
    'Content-Type': 'application/json',
    'X-Parse-Application-Id': appId,
    'X-Parse-Master-Key': masterKey,
  }
  /** @param {string} method @param {string} path @param {object} [body] @returns {Promise<any>} */
  const ask = async (method, path, body) => {
    const answer = await fetch(`${url}/server${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (!answer.ok && path !== '/login') throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  const { results } = await ask('GET', `/console/users?search=${username}`)
  await ask('PUT', `/console/operators/${results[0].objectId}`, { role: 'admin' })
  /** @type {string[]} */
  const ids = []
  for (const name of people) {
    const made = await ask('POST', '/users', { username: name, password, email: `${name}@example.org` })
    ids.push(made.objectId)
    await ask('POST', '/login', { username: name, password })
  }
  for (let times = 0; times < 11; times++) await ask('POST', '/login', { username: 'ken', password: 'guess' })
  await ask('POST', '/login', { username: 'nobody', password: 'guess' })
  const moderators = await ask('POST', '/roles', {
    name: 'moderators',
    ACL: { '*': { read: true } },
    users: { __op: 'AddRelation', objects: [{ __type: 'Pointer', className: '_User', objectId: ids[0] }] },
  })
  await ask('POST', '/roles', {
    name: 'staff',
    ACL: { '*': { read: true } },
    roles: { __op: 'AddRelation', objects: [{ __type: 'Pointer', className: '_Role', objectId: moderators.objectId }] },
  })
  await ask('POST', '/schemas/Game', {
    className: 'Game',
    fields: {
      title: { type: 'String' },
      players: { type: 'Number' },
      isOpen: { type: 'Boolean' },
      begins: { type: 'Date' },
      place: { type: 'GeoPoint' },
      rules: { type: 'Object' },
      host: { type: 'Pointer', targetClass: '_User' },
    },
    classLevelPermissions: {
      find: { '*': true },
      get: { '*': true },
      count: { '*': true },
      create: { requiresAuthentication: true },
      update: { 'role:moderators': true },
      delete: {},
      addField: {},
    },
  })
  let game = ''
  for (let number = 1; number <= 24; number++) {
    const made = await ask('POST', '/classes/Game', {
      title: `Round ${number}`,
      players: (number * 7) % 5,
      isOpen: number % 3 === 0,
      begins: { __type: 'Date', iso: new Date(Date.UTC(2026, 10, number, 18)).toISOString() },
      ACL: { '*': { read: true }, [ids[number % ids.length] ?? '']: { read: true, write: true } },
      place: { __type: 'GeoPoint', latitude: 53.54 + number / 100, longitude: 9.98 },
      rules: { rounds: number, teams: ['north', 'south'] },
      host: { __type: 'Pointer', className: '_User', objectId: ids[number % ids.length] },
    })
    game = made.objectId
  }
  await ask('PUT', '/config', {
    params: { welcome: 'Hello from the harbour', longestRound: 45, isOpen: true, payoutKey: 'kept by the server' },
    masterKeyOnly: { payoutKey: true },
  })
  for (const name of ['rules.txt', 'minutes.txt']) {
    await fetch(`${url}/server/files/${name}`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'text/plain' },
      body: `The ${name} of the club.`,
    })
  }
  await ask('POST', '/roles', { name: 'holders', ACL: { '*': { read: true } } })
  await ask('POST', '/tokenGates', { role: 'holders', chain: 'harbour', kind: 'erc20', token: world.wrapped })
  await ask('POST', '/syncs', {
    chain: 'harbour',
    class: 'Deposit',
    event: 'event Deposit(address indexed dst, uint256 wad)',
    contracts: [world.wrapped],
    startBlock: 0,
  })
  await ask('POST', '/webhooks', {
    url: 'https://example.com/hook',
    events: ['object.created', 'object.updated'],
    classes: ['Game'],
    description: 'Tells the scoreboard',
  })
  await ask('PUT', '/console/settings/allowOrigin', { value: ['https://harbour.example'] })
  await ask('POST', '/jobs/closeOldRounds', {})
  await ask('POST', '/console/backups', {})
  await ask('POST', '/requestPasswordReset', { email: 'grace@example.org' })
  await ask('POST', '/console/oidcClients', {
    name: 'Scoreboard',
    kind: 'web',
    redirectUris: ['https://score.example/callback'],
  })
  return { user: ids[0] ?? '', role: moderators.objectId, game }
}

/**
 * Every screen of the console, and its forms.
 *
 * @param {Shown} shown
 * @returns {Screen[]}
 */
export const listConsoleScreens = ({ user, role, game }) =>
  [
    { name: 'console', path: '/admin' },
    { name: 'console-users', path: '/admin/users' },
    { name: 'console-user', path: `/admin/users/${user}` },
    { name: 'console-sign-ins', path: '/admin/signIns' },
    { name: 'console-sign-in-limits', path: '/admin/signIns?show=limits' },
    { name: 'console-data', path: '/admin/data' },
    { name: 'console-data-class', path: '/admin/data/Game' },
    {
      name: 'console-data-filter',
      path: `/admin/data/Game?where=${encodeURIComponent(moreThanTwo)}`,
      press: /^Filter/,
    },
    { name: 'console-data-views', path: '/admin/data/Game', press: 'Views' },
    { name: 'console-data-row', path: '/admin/data/Game', press: `Open ${game}` },
    { name: 'console-sql', path: '/admin/sql' },
    { name: 'console-schema', path: '/admin/schema' },
    { name: 'console-schema-new', path: '/admin/schema', press: 'New class' },
    { name: 'console-roles', path: '/admin/roles' },
    { name: 'console-role', path: `/admin/roles/${role}` },
    { name: 'console-token-gates', path: '/admin/tokenGates' },
    { name: 'console-token-gates-new', path: '/admin/tokenGates', press: 'New token gate' },
    { name: 'console-functions', path: '/admin/functions' },
    { name: 'console-jobs', path: '/admin/functions?show=jobs' },
    { name: 'console-webhooks', path: '/admin/functions?show=webhooks' },
    { name: 'console-webhooks-new', path: '/admin/functions?show=webhooks', press: 'New webhook' },
    { name: 'console-logs', path: '/admin/functions?show=logs' },
    { name: 'console-chain', path: '/admin/chain' },
    { name: 'console-chain-sync', path: '/admin/chain', press: 'Sync an event' },
    { name: 'console-clients', path: '/admin/clients' },
    { name: 'console-clients-new', path: '/admin/clients', press: 'New app' },
    { name: 'console-keys', path: '/admin/keys' },
    { name: 'console-backups', path: '/admin/backups' },
    { name: 'console-api', path: '/admin/api' },
    { name: 'console-api-endpoint', path: '/admin/api/findObjects' },
    { name: 'console-api-query', path: '/admin/api?show=query&class=Game&order=-players&limit=2' },
    { name: 'console-access', path: '/admin/access' },
    {
      name: 'console-access-denied',
      path: `/admin/access?className=Game&objectId=${game}&operation=update&user=radia`,
    },
    { name: 'console-push', path: '/admin/push' },
    { name: 'console-files', path: '/admin/files' },
    { name: 'console-config', path: '/admin/config' },
    { name: 'console-mail', path: '/admin/mail' },
    { name: 'console-audit', path: '/admin/audit' },
    { name: 'console-operators', path: '/admin/operators' },
    { name: 'console-settings', path: '/admin/settings' },
    { name: 'console-settings-editing-mail', path: '/admin/settings', press: 'Edit Email server' },
    { name: 'console-settings-editing-limits', path: '/admin/settings', press: 'Edit Rate limits' },
  ].map(({ press, ...screen }) => ({
    ...screen,
    signedIn: true,
    act: async (page) => {
      await page.waitForLoadState('networkidle')
      if (press) await page.getByRole('button', { name: press }).first().click()
    },
  }))
