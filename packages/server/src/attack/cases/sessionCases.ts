import { type AttackCase, casesOf } from '../AttackCase.ts'
import type { Account } from '../createLedger.ts'
import { guest, type Scene } from '../createScene.ts'
import type { Answer } from '../createTarget.ts'

const evil = 'https://evil.example'
const cookieHeader = { 'X-Countersign-Session': 'cookie' }

/** Signs in as the server's own page does. */
function signInByCookie(scene: Scene, { username, password }: Account, headers: object = {}): Promise<Answer> {
  const sent = { ...cookieHeader, 'Sec-Fetch-Site': 'same-origin', ...headers }
  return scene.call({ name: 'stranger' }, 'POST', '/login', { username, password }, { headers: sent })
}

const cookiesOf = ({ headers }: Answer) => headers['set-cookie'] ?? []

const make = casesOf('sessions')

export const sessionCases: AttackCase[] = [
  make('a session ends with the sign-out, also one that was just used', 'S27, S33', async (scene, { stranger }) => {
    const token = await scene.logIn(stranger)
    const session = { ...stranger, token }
    for (let times = 0; times < 3; times++) await scene.need(session, 'GET', '/users/me')
    await scene.need(session, 'POST', '/logout', {})
    for (const path of ['/users/me', '/sessions/me', '/auth/signInMethods'])
      scene.refused(await scene.call(session, 'GET', path), `${path} responds to a session that has ended.`)
  }),
  make('ending other sessions ends them', 'S27', async (scene, { stranger }) => {
    const other = { ...stranger, token: await scene.logIn(stranger) }
    await scene.need(other, 'GET', '/users/me')
    await scene.need(stranger, 'POST', '/revokeOtherSessions', {})
    scene.refused(await scene.call(other, 'GET', '/users/me'), 'A revoked session is still served.')
  }),
  make(
    'sessions of others are neither seen nor changed',
    'P7, GHSA-6w4q-23cf-j9jp',
    async (scene, { victim, stranger, victimSession }) => {
      for (const path of [`/sessions/${victimSession}`, `/classes/_Session/${victimSession}`])
        for (const [method, body] of [
          ['GET', undefined],
          ['PUT', { note: 'x' }],
          ['PUT', { user: { __type: 'Pointer', className: '_User', objectId: stranger.id } }],
          ['DELETE', undefined],
        ] as const)
          scene.refused(
            await scene.call(stranger, method, path, body),
            `${method} ${path.replace(victimSession, ':id')} reaches the session of another user.`,
          )
      const list = await scene.call(stranger, 'GET', '/sessions')
      scene.check(!list.text.includes(victim.id), list, 'The list of sessions contains those of others.', 'foreignData')
    },
  ),
  make(
    'a session sets nothing that the server decides',
    'P7, GHSA-5v7g-9h8f-8pgg, GHSA-jc39-686j-wp6q, GHSA-f6j3-w9v3-cq22, CVE-2026-34574, parse-server#4150',
    async (scene, { victim, stranger }) => {
      const fields = [
        { sessionToken: `r:${'c'.repeat(32)}` },
        { expiresAt: { __type: 'Date', iso: '2099-01-01T00:00:00.000Z' } },
        { expiresAt: null },
        { user: { __type: 'Pointer', className: '_User', objectId: victim.id } },
        { createdWith: { action: 'forged' } },
      ]
      const mine = await scene.need(stranger, 'GET', '/sessions/me')
      for (const each of fields) {
        const [[name, value] = ['', '']] = Object.entries(each)
        const made = await scene.call(stranger, 'POST', '/sessions', each)
        if (made.status < 300) {
          const isKept = JSON.stringify(made.body[name]) === JSON.stringify(value)
          scene.check(!isKept, made, `A new session takes ${name} from the caller.`)
        }
        const changed = await scene.call(stranger, 'PUT', `/sessions/${mine.body.objectId}`, each)
        const after = await scene.need(stranger, 'GET', '/sessions/me')
        scene.check(
          JSON.stringify(after.body[name]) === JSON.stringify(mine.body[name]),
          changed,
          `A session’s ${name} can be changed.`,
        )
      }
    },
  ),
  make('a cookie session needs our header and our origin', 'S18, S25', async (scene, { stranger }) => {
    const opened = await signInByCookie(scene, stranger)
    const [cookie] = cookiesOf(opened).filter((line) => !/Max-Age=0/i.test(line))
    if (opened.status >= 300 || cookie === undefined) throw scene.skip('this server gives no cookie here')
    scene.check(/;\s*HttpOnly/i.test(cookie), opened, 'Scripts can read the session cookie.', 'header')
    scene.check(
      /;\s*SameSite=(Lax|Strict)/i.test(cookie),
      opened,
      'The session cookie is sent by other sites.',
      'header',
    )
    if (scene.target.origin.startsWith('https:'))
      scene.check(/;\s*Secure/i.test(cookie), opened, 'The session cookie is sent without TLS.', 'header')
    scene.check(!('sessionToken' in opened.body), opened, 'A page with a cookie also gets the token.', 'leak')
    const Cookie = cookie.split(';', 1)[0] ?? ''
    const asPage = await scene.call({ name: 'stranger' }, 'GET', '/users/me', undefined, {
      headers: { Cookie, ...cookieHeader, 'Sec-Fetch-Site': 'same-origin' },
    })
    if (asPage.status !== 200) scene.skip('the cookie does not work from here')
    const foreign: Record<string, string>[] = [
      { Cookie },
      { Cookie, Origin: evil },
      { Cookie, ...cookieHeader, Origin: evil },
      { Cookie, ...cookieHeader, Origin: 'null' },
      { Cookie, ...cookieHeader, Origin: `${scene.target.origin}.evil.example` },
      { Cookie, ...cookieHeader, 'Sec-Fetch-Site': 'cross-site' },
      { Cookie, ...cookieHeader, 'Sec-Fetch-Site': 'same-site' },
    ]
    for (const headers of foreign) {
      const answer = await scene.call({ name: 'stranger' }, 'GET', '/users/me', undefined, { headers })
      const what = Object.keys(headers).slice(1).join(', ') || 'no header'
      scene.refused(
        answer,
        `Another site uses the cookie session (${what} ${headers.Origin ?? headers['Sec-Fetch-Site'] ?? ''}).`,
      )
    }
  }),
  make('another site cannot sign a browser in', 'S18', async (scene, { stranger }) => {
    for (const headers of [{ Origin: evil }, { 'Sec-Fetch-Site': 'cross-site' }]) {
      const answer = await signInByCookie(scene, stranger, headers)
      const kept = cookiesOf(answer).filter((line) => !/Max-Age=0/i.test(line))
      scene.check(kept.length === 0, answer, 'A request of another site gets a session cookie.', 'header')
    }
  }),
  make('other origins get no credentials', 'S18', async (scene) => {
    const answer = await scene.call(guest, 'OPTIONS', '/users/me', undefined, {
      headers: {
        Origin: evil,
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'x-countersign-session',
      },
    })
    const allowed = String(answer.headers['access-control-allow-headers'] ?? '').toLowerCase()
    scene.check(
      answer.headers['access-control-allow-credentials'] !== 'true',
      answer,
      'Any origin may send credentials.',
      'header',
    )
    scene.check(
      !/x-countersign-(session|console)/.test(allowed),
      answer,
      'Any origin may ask for the cookie session.',
      'header',
    )
  }),
  make(
    'a request id of another caller repeats nothing of theirs',
    'P14, SEC-20',
    async (scene, { victim, stranger }) => {
      const headers = { 'X-Parse-Request-Id': `attack-${scene.run}-request` }
      const body = { deviceType: 'web', installationId: `attack-${scene.run}-device` }
      const first = await scene.call(victim, 'POST', '/installations', body, { headers })
      if (first.status >= 300) scene.skip('no device can be registered')
      const second = await scene.call(
        stranger,
        'POST',
        '/installations',
        { ...body, installationId: `attack-${scene.run}-device2` },
        { headers },
      )
      scene.check(
        second.body.objectId === undefined || second.body.objectId !== first.body.objectId,
        second,
        'The response to another caller is repeated.',
        'foreignData',
      )
    },
  ),
  make('a new password ends the other sessions', 'S27', async (scene) => {
    const account = await scene.signUp('changing')
    const other = { ...account, token: await scene.logIn(account) }
    const password = scene.addSecret('PASSWORD NEW', `changed${scene.run}`)
    const changed = await scene.call(account, 'POST', '/changePassword', {
      currentPassword: account.password,
      newPassword: password,
      password: account.password,
    })
    if (changed.status >= 300) scene.skip(`the password was not changed: ${changed.text.slice(0, 100)}`)
    account.password = password
    scene.refused(await scene.call(other, 'GET', '/users/me'), 'A session outlives the password that opened it.')
  }),
]
