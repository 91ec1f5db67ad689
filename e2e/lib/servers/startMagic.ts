import { createServer } from 'node:http'

/** Act of the person at Magic: types a code, or closes the window. */
export type MagicPerson = { answer: 'sign' | 'deny' }

const page = `<!doctype html><title>Magic</title><script type="module">
const parameters = new URLSearchParams(location.search).get('params')
const tell = (type, more) => parent.postMessage({ msgType: type + '-' + parameters, ...more }, '*')
addEventListener('message', async ({ data }) => {
  if (!String(data.msgType).startsWith('MAGIC_HANDLE_REQUEST')) return
  for (const payload of [data.payload].flat()) {
    const answer = await fetch('/call', { method: 'POST', body: JSON.stringify(payload) })
    tell('MAGIC_HANDLE_RESPONSE', { response: { id: payload.id, jsonrpc: '2.0', ...(await answer.json()) } })
  }
})
tell('MAGIC_OVERLAY_READY', { response: {} })
</script>`

export type MagicAccount = {
  address: string
  signMessage: (input: { message: { raw: `0x${string}` } }) => Promise<string>
}

/**
 * Simulates Magic's server and the page that its SDK puts into a frame: the same messages, one wallet, no mail. The
 * person is signed in for as long as it runs, or until they sign out.
 */
export async function startMagic(account: MagicAccount) {
  const person: MagicPerson = { answer: 'sign' }
  const calls: string[] = []
  let email: string | undefined

  const methods: Record<string, (params: unknown[]) => unknown> = {
    magic_is_logged_in: () => email !== undefined,
    magic_auth_login_with_email_otp([input]) {
      if (person.answer === 'deny') throw { code: -10014, message: 'User canceled action.' }
      email = String(Object(input).email)
      return 'did-token'
    },
    magic_get_info: () => ({ email, issuer: `did:ethr:${account.address}`, publicAddress: account.address }),
    magic_auth_logout() {
      email = undefined
      return true
    },
    eth_accounts: () => (email ? [account.address] : []),
    eth_requestAccounts: () => (email ? [account.address] : []),
    eth_chainId: () => '0x1',
    personal_sign([text]) {
      if (person.answer === 'deny') throw { code: -10012, message: 'User rejected the action' }
      return account.signMessage({ message: { raw: text as `0x${string}` } })
    },
  }

  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(200, { 'Content-Type': 'text/html' }).end(page)
    let body = ''
    for await (const chunk of request) body += chunk
    const { method, params } = JSON.parse(body)
    calls.push(method)
    const act = methods[method]
    try {
      if (!act) throw { code: -32601, message: `No ${method} here` }
      response.end(JSON.stringify({ result: (await act(params)) ?? null }))
    } catch (error) {
      response.end(JSON.stringify({ error }))
    }
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  const port = address && typeof address === 'object' ? address.port : 0
  return {
    endpoint: `http://localhost:${port}`,
    person,
    calls,
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
