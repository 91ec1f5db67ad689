import { connect } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { type AttackCase, casesOf } from '../AttackCase.ts'
import { guest, type Scene } from '../createScene.ts'
import { pollution } from '../invariants.ts'

/** Sends bytes over a connection of its own; returns the response until it is closed, or after three seconds. */
function sendRaw({ target: { origin } }: Scene, text: string): Promise<string> {
  const { hostname, port, protocol } = new URL(origin)
  const place = { host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port || (protocol === 'https:' ? 443 : 80)) }
  return new Promise((resolve) => {
    let answer = ''
    const socket = protocol === 'https:' ? connectSecurely({ ...place, servername: hostname }) : connect(place)
    socket.setTimeout(3_000, () => socket.destroy())
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer))
    socket.write(text, 'latin1')
  })
}

const make = casesOf('bodies')

export const bodyCases: AttackCase[] = [
  make('bodies are limited in bytes, values and depth', 'SEC-4, SEC-14, P13', async (scene) => {
    const bodies: [string, string][] = [
      ['80 MB', `{"a":"${'x'.repeat(80 * 1024 * 1024)}"}`],
      ['100,000 levels', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
      ['100,000 objects in each other', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
      ['300,000 values', `{"a":[${'1,'.repeat(300_000)}1]}`],
      ['50,000 names', `{${Array.from({ length: 50_000 }, (_, index) => `"a${index}":1`).join()}}`],
    ]
    for (const [what, body] of bodies)
      scene.refused(await scene.call(guest, 'POST', '/login', body), `A body with ${what} is accepted.`, 'limit')
  }),
  make('unreadable bodies are refused', 'SEC-4, P17', async (scene) => {
    const bodies = [
      '{',
      '{"a":',
      '{"a":1}}',
      '\u0000',
      '{"a":NaN}',
      "{'a':1}",
      '{"a":1,}',
      '\ufeff{}',
      '{"\\ud800":1}',
      'a=b&c=d',
      '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><x>&y;</x>',
      Buffer.from([0xff, 0xfe, 0x00]),
      Buffer.from([0xc3, 0x28]),
    ]
    for (const body of bodies)
      scene.refused(await scene.call(guest, 'POST', '/login', body), 'An unreadable body signs in.')
    const odd: Record<string, string>[] = [
      { 'Content-Encoding': 'gzip' },
      { 'Content-Type': 'multipart/form-data' },
      { 'Content-Type': 'x'.repeat(500) },
      { 'Content-Type': 'application/json; charset=utf-7' },
      { 'Content-Type': '' },
    ]
    for (const headers of odd)
      await scene.call(guest, 'POST', '/login', '{"username":"x","password":"x"}', {
        headers,
      })
  }),
  make(
    'no body changes the prototype of objects',
    'P1, GHSA-p6h4-93qp-jhcm, GHSA-462x-c3jw-7vr6, GHSA-prm5-8g2m-24gg, GHSA-93vw-8fm5-p2jf, CVE-2026-30938',
    async (scene, { stranger }) => {
      const keys = [
        '"__proto__"',
        '"constructor":{"prototype"',
        '"\\u005f_proto__"',
        '"a.__proto__.polluted"',
        '"_bsontype"',
      ]
      for (const key of keys) {
        const inner = `${key}:{"polluted":"${pollution}"}${key.includes('{') ? '}' : ''}`
        for (const body of [`{${inner}}`, `{"a":{"b":[{${inner}}]}}`, `{"a":1,"first":{"x":1},"b":{${inner}}}`])
          for (const path of ['/login', '/functions/nosuch', '/installations', '/events/AppOpened'])
            await scene.call(stranger, 'POST', path, body)
      }
      const config = await scene.call(guest, 'GET', '/config')
      scene.check(
        !config.text.includes(pollution),
        config,
        'Objects have a property of a polluted prototype.',
        'integrity',
      )
    },
  ),
  make('a request has one meaning on the wire', 'SEC-72, P14', async (scene) => {
    const { mount, appId } = scene.target
    const head = `Host: x\r\nX-Parse-Application-Id: ${appId}\r\n`
    const smuggled = `GET ${mount}/users/me HTTP/1.1\r\n${head}X-Parse-Session-Token: x\r\n\r\n`
    const both = await sendRaw(
      scene,
      `POST ${mount}/login HTTP/1.1\r\n${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    )
    scene.check((both.match(/HTTP\/1\.1 /g) ?? []).length <= 1, undefined, 'A request with two lengths is read as two.')
    for (const text of [
      `GET ${mount}/users/me#/x HTTP/1.1\r\n${head}Connection: close\r\n\r\n`,
      `GET ${mount}/users/me HTTP/1.1\r\n${head}X-Parse-Session-Token: a\r\nX-Parse-Session-Token: b\r\nConnection: close\r\n\r\n`,
      `GET http://evil.example${mount}/schemas HTTP/1.1\r\n${head}Connection: close\r\n\r\n`,
      `GET ${mount}/%zz HTTP/1.1\r\n${head}Connection: close\r\n\r\n`,
      `GET ${mount}/classes/%00 HTTP/1.1\r\n${head}Connection: close\r\n\r\n`,
      `GET ${mount}/users/me HTTP/1.1\r\n${head}X-Long: ${'x'.repeat(40_000)}\r\nConnection: close\r\n\r\n`,
      `POST ${mount}/login HTTP/1.1\r\n${head}Content-Length: -1\r\nConnection: close\r\n\r\n`,
      `POST ${mount}/login HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\nzz\r\n`,
      'NOT HTTP\r\n\r\n',
      `TRACE ${mount}/users/me HTTP/1.1\r\n${head}Cookie: a=b\r\nConnection: close\r\n\r\n`,
    ]) {
      const answer = await sendRaw(scene, text)
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 400)
      scene.check(
        status >= 400 && status < 500,
        undefined,
        `A malformed request gets ${status}: ${text.slice(0, 80)}`,
        status >= 500 ? 'serverError' : 'accepted',
      )
      scene.check(
        !/node_modules|\bat .+:\d+:\d+/.test(answer),
        undefined,
        'A malformed request is answered with a stack trace.',
        'leak',
      )
    }
  }),
  make('a legacy body proves no more than headers', 'P14, GHSA-vpvj-hfh8-388m', async (scene, { victim }) => {
    const { appId } = scene.target
    for (const body of [
      { _method: 'PUT', password: 'taken over' },
      { _method: 'DELETE' },
      { _method: '__proto__' },
      { _method: { $ne: 1 } },
      { _method: 'PUT', _SessionToken: { $ne: null }, note: 'x' },
      { _method: 'DELETE', _MasterKey: { $ne: null } },
    ])
      scene.refused(
        await scene.call(guest, 'POST', `/users/${victim.id}`, JSON.stringify({ ...body, _ApplicationId: appId }), {
          appId: '',
          headers: { 'Content-Type': 'text/plain' },
        }),
        'A legacy body changes another user.',
      )
    scene.refused(
      await scene.call(guest, 'POST', `/users/${victim.id}`, {}, { headers: { 'X-HTTP-Method-Override': 'DELETE' } }),
      'A header turns a request into a deletion.',
    )
  }),
]
