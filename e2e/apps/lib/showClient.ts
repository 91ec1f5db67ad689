import type { Client } from '@countersign/react/core'

/** Puts on show what the client knows, as text that a test can read. */
export function showClient(client: Client): void {
  const show = () => {
    const session = client.session.get()
    write('session', session.status)
    write('user', 'user' in session ? String(session.user?.ethAddress ?? '') : '')
    const wallet = client.wallet.get()
    write('wallet', wallet.status)
    write('account', (wallet.status === 'connected' && wallet.account) || '')
    write('chain', String((wallet.status === 'connected' && wallet.chainId) || ''))
    write('uri', (wallet.status === 'connecting' && wallet.uri) || '')
  }
  client.session.subscribe(show)
  client.wallet.subscribe(show)
  show()
}

export function write(id: string, text: string): void {
  let output = document.getElementById(id)
  if (!output) {
    output = document.createElement('output')
    output.id = id
    const line = document.createElement('p')
    line.append(`${id}: `, output)
    document.body.append(line)
  }
  output.textContent = text
}
