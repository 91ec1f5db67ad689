import type { SolanaSecret } from './createSolanaKey.ts'
import type { TestState } from './createState.ts'
import { refusal } from './refusal.ts'

/** Handles a Wallet Standard request of a page. `note` is called where a wallet would open its window. */
export async function answerSolana(
  state: TestState,
  method: string,
  given: unknown,
  note: () => void,
): Promise<unknown> {
  const params: Record<string, unknown> = Object(given)
  const ask = async () => {
    if (state.prompts.isOpen()) throw refusal(-32002, 'A request is open already.')
    note()
    await state.untilUnlocked()
    await state.prompts.ask()
  }
  const list = () => state.listSolana().map(({ address, publicKey }) => ({ address, publicKey }))
  switch (method) {
    case 'solana:connect':
      if (params.silent !== true && list().length === 0) {
        await ask()
        await state.permit()
      }
      return list()
    case 'solana:disconnect':
      await state.revoke()
      return []
    case 'solana:signMessage': {
      const key = state.listSolana().find(({ address }) => address === params.address)
      if (!key) throw refusal(4100, 'The requested account has not been authorized by the user.')
      await ask()
      const text = new TextDecoder().decode(Uint8Array.from(params.message as number[]))
      return sign(state, key, text)
    }
    case 'solana:signIn': {
      await ask()
      await state.permit()
      const [key] = state.listSolana()
      if (!key) throw refusal(4100, 'The wallet has no account.')
      const signed = await sign(state, key, writeSignIn(params, key.address))
      return { accounts: list(), ...signed }
    }
    default:
      throw refusal(4200, `${method} is not supported.`)
  }
}

async function sign(state: TestState, key: SolanaSecret, given: string) {
  const text = state.takeText(given)
  const bytes = new TextEncoder().encode(text)
  const signature = await key.sign(bytes)
  state.signed.push(text)
  await state.finishSigning()
  return { signedMessage: [...bytes], signature }
}

/** The text of Sign-In With Solana, of the parts that the page gave. */
function writeSignIn(input: Record<string, unknown>, address: string): string {
  const parts = [
    ['URI', input.uri],
    ['Version', input.version],
    ['Chain ID', input.chainId],
    ['Nonce', input.nonce],
    ['Issued At', input.issuedAt],
    ['Expiration Time', input.expirationTime],
  ]
  const lines = parts.filter(([, value]) => value !== undefined).map(([name, value]) => `${name}: ${value}`)
  const head = `${input.domain} wants you to sign in with your Solana account:\n${address}`
  return [head, ...(input.statement === undefined ? [] : [input.statement]), lines.join('\n')].join('\n\n')
}
