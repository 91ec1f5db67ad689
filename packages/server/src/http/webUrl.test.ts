import { describe, expect, test } from 'vitest'
import { readConfig } from '../config/readConfig.ts'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'
import { listMails } from '../testing/readMails.ts'
import { serveTests } from '../testing/serveTests.ts'
import { findFirstOperator } from '../users/operators.ts'

const [app, web, evil] = ['https://app.acme.example', 'https://id.acme.example', 'https://evil.example']

const server = serveTests({
  publicUrl: app,
  webUrl: `${web}/`,
  production: true,
  emailCode: { enabled: true },
  signUp: { mode: 'open' },
  rateLimit: [],
})

/** Request headers that could name another host. */
const hostile = {
  'X-Forwarded-Host': 'evil.example',
  Forwarded: 'host=evil.example',
  Origin: evil,
  Referer: `${evil}/x`,
}

const page = (origin: string, cookie?: string) => ({
  'X-Countersign-Session': 'cookie',
  Origin: origin,
  ...(cookie && { Cookie: cookie }),
})

const linksOf = (text: string) => text.match(/https?:\/\/\S+/g) ?? []

describe('addresses of the web application', () => {
  test('SEC-80: links in mails and in the terminal lead to webUrl, whatever a request header says', async () => {
    const first = await findFirstOperator(server.context)
    expect(typeof first === 'object' && first.link.url).toMatch(/^https:\/\/id\.acme\.example\/admin\/claim#\S{20,}$/)
    const email = 'ada@example.com'
    const made = await server.call(
      'POST',
      '/users',
      { username: 'ada', password: 'ada password', email },
      { headers: hostile },
    )
    expect(made.status, made.text).toBe(201)
    await server.call('POST', '/requestPasswordReset', { email }, { headers: hostile })
    await server.call('POST', '/auth/emailCode', { email }, { headers: { ...hostile, ...page(web) } })
    const invitation = await server.call('POST', '/auth/invitations', {}, { master: true, headers: hostile })
    const mails = await listMails(server, email)
    const links = [...mails.flatMap(({ text, link }) => [...linksOf(text), ...(link ? [link] : [])])]
    expect(invitation.body.url).toMatch(/^https:\/\/id\.acme\.example\/sign-up\?/)
    expect(links.map((link) => new URL(link).origin).filter((origin) => origin !== web)).toEqual([])
    expect([...new Set(links.map((link) => new URL(link).pathname))].sort()).toEqual(
      expect.arrayContaining(['/reset', '/sign-in/link', '/verify-email']),
    )
  })

  test('SEC-80: redirects of older mail links and of lost provider responses lead there, and nowhere else', async () => {
    const follow = async (path: string) => {
      const headers = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' }
      const answer = await fetch(`${server.serverUrl}${path}`, { redirect: 'manual', headers })
      return answer.headers.get('location')
    }
    expect(await follow(`/apps/${server.appId}/verify_email?token=a%0d%0a&next=${evil}`)).toBe(
      `${web}/verify-email?token=a%0D%0A`,
    )
    expect(await follow('/apps/choose_password?token=//evil.example')).toBe(`${web}/reset?token=%2F%2Fevil.example`)
    expect(await follow('/auth/providers/acme/callback?state=none&code=c')).toBe(
      `${web}/sign-in#signInWith=&error=expired`,
    )
  })

  test('SEC-80: a sign-in link is mailed only where its page gets the cookie of the asking browser', async () => {
    const ask = async (email: string, origin: string) => {
      const asked = await server.call('POST', '/auth/emailCode', { email }, { headers: page(origin) })
      expect(asked.status, asked.text).toBe(200)
      const [mail] = await listMails(server, email)
      return mail?.link ?? null
    }
    expect(await ask('web@example.com', web)).toMatch(/^https:\/\/id\.acme\.example\/sign-in\/link\?token=/)
    expect(await ask('app@example.com', app)).toBeNull()
  })
})

describe('origins of both addresses', () => {
  test('SEC-81: both get the cookie session, a wallet challenge and a passkey of their own host; others do not', async () => {
    await server.signUp('gus')
    const logIn = (origin: string) =>
      server.call('POST', '/login', { username: 'gus', password: 'gus password' }, { headers: page(origin) })
    for (const origin of [app, web]) {
      const { hostname } = new URL(origin)
      expect((await logIn(origin)).headers.get('set-cookie'), origin).toMatch(/^__Host-countersign=.*; Secure/)
      const ask = (path: string, body: object) => server.call('POST', path, body, { headers: page(origin) })
      const challenge = await ask('/auth/challenge', { address: `0x${'1'.repeat(40)}`, chainId: 1 })
      expect(challenge.body.fields).toMatchObject({ domain: hostname, uri: origin })
      expect((await ask('/auth/passkeys/challenge', {})).body.options).toMatchObject({ rpId: hostname })
    }
    for (const origin of [evil, 'https://x.id.acme.example', 'https://acme.example', 'http://id.acme.example']) {
      expect((await logIn(origin)).headers.get('set-cookie'), origin).toBeNull()
      for (const path of ['/auth/challenge', '/auth/passkeys/challenge']) {
        const body = path === '/auth/challenge' ? { address: `0x${'1'.repeat(40)}`, chainId: 1 } : {}
        const headers = { 'X-Parse-Installation-Id': 'one', Origin: origin }
        expect((await server.call('POST', path, body, { headers })).body.reason, origin).toBe('originNotAllowed')
      }
    }
  })

  test('SEC-81: neither origin may send the cookie to the other host', async () => {
    for (const origin of [app, web]) {
      const { headers } = await fetch(`${server.serverUrl}/users/me`, {
        method: 'OPTIONS',
        headers: { Origin: origin },
      })
      expect(headers.get('access-control-allow-credentials')).toBeNull()
    }
  })

  test('a web application on a host below that of the application shares its passkeys', async () => {
    const near = await createTestServer(
      { production: true, publicUrl: 'https://acme.example', webUrl: web },
      server.database,
    )
    try {
      const options = await askPasskey(near, web)
      expect(options).toMatchObject({ rpId: 'acme.example' })
    } finally {
      await near.stop()
    }
  })

  test('in development an application on another port, and the web application on the server’s own, both work', async () => {
    const local = await createTestServer(
      { publicUrl: 'http://localhost:3000', webUrl: 'http://localhost:1337' },
      server.database,
    )
    try {
      for (const origin of ['http://localhost:3000', 'http://localhost:1337', 'http://127.0.0.1:1337']) {
        const headers = { 'X-Parse-Installation-Id': 'one', Origin: origin }
        const { body } = await local.call('POST', '/auth/challenge', { address: `0x${'1'.repeat(40)}` }, { headers })
        expect(body.fields, origin).toMatchObject({ uri: origin })
      }
      expect(await askPasskey(local, 'http://localhost:1337')).toMatchObject({ rpId: 'localhost' })
    } finally {
      await local.stop()
    }
  })
})

async function askPasskey(on: TestServer, origin: string): Promise<unknown> {
  const headers = { 'X-Parse-Installation-Id': 'one', Origin: origin }
  return (await on.call('POST', '/auth/passkeys/challenge', {}, { headers })).body.options
}

describe('the setting webUrl', () => {
  const read = (settings: Record<string, string>) =>
    readConfig({ environment: settings, folder: '/nonexistent' }).then(
      ({ webUrl }) => webUrl ?? null,
      (error: Error) => error.message,
    )

  test('SEC-82: accepts a scheme and a host, and refuses the rest with its source', async () => {
    expect(await read({ COUNTERSIGN_WEB_URL: 'https://ID.acme.example/' })).toBe(web)
    expect(await read({ COUNTERSIGN_WEB_URL: 'http://localhost:1337' })).toBe('http://localhost:1337')
    expect(await read({})).toBeNull()
    for (const wrong of [
      'id.acme.example',
      'ftp://id.acme.example',
      'javascript:alert(1)',
      'https://ada:secret@id.acme.example',
      'https://id.acme.example@evil.example',
      'https://id.acme.example?x=1',
      'https://id.acme.example/#x',
      'https://id.acme.example/account',
      'https://id.acme.example\\@evil.example',
      `https://${'a'.repeat(300)}.example`,
    ]) {
      expect(await read({ COUNTERSIGN_WEB_URL: wrong }), wrong).toContain('webUrl (from COUNTERSIGN_WEB_URL): ')
    }
  })

  test('SEC-82: publicUrl, to which paths are appended, has no user name, query or fragment either', async () => {
    const readPublic = (text: string) =>
      readConfig({ environment: { COUNTERSIGN_PUBLIC_URL: text }, folder: '/nonexistent' }).then(
        ({ publicUrl }) => publicUrl,
        (error: Error) => error.message,
      )
    for (const right of [app, `${app}/`, `${app}/below`, 'http://localhost:3000', 'http://[::1]:3000'])
      expect(await readPublic(right)).toBe(right)
    for (const wrong of [
      'https://ada:secret@id.acme.example',
      'https://id.acme.example@evil.example',
      'https://id.acme.example\\@evil.example',
      'https://id.acme.example?x=1',
      'https://id.acme.example/below?x=1',
      'https://id.acme.example/#x',
      'https://id.acme.example/a b',
      `https://${'a'.repeat(300)}.example`,
    ]) {
      expect(await readPublic(wrong), wrong).toContain('publicUrl (from COUNTERSIGN_PUBLIC_URL): ')
    }
  })

  test('SEC-82: has the scheme of publicUrl, unless it is on this machine', async () => {
    const both = (publicUrl: string, webUrl: string) =>
      read({ COUNTERSIGN_PUBLIC_URL: publicUrl, COUNTERSIGN_WEB_URL: webUrl })
    expect(await both(app, 'http://id.acme.example')).toContain('both must be https')
    expect(await both('http://app.acme.example', web)).toContain('both must be https')
    expect(await both(app, 'http://localhost:1337')).toBe('http://localhost:1337')
  })
})
