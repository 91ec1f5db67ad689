import { hexToString, isHex } from 'viem'
import type { TestState } from './createState.ts'
import { refusal } from './refusal.ts'
import { sendTransaction } from './sendTransaction.ts'

/** Handles a JSON-RPC call. `note` is called where a wallet would open its window. */
export async function answerEvm(state: TestState, method: string, given: unknown, note: () => void): Promise<unknown> {
  const params: readonly unknown[] = Array.isArray(given) ? given : []
  const ask = async () => {
    if (state.prompts.isOpen()) {
      throw refusal(-32002, `Request of type '${method}' already pending. Please wait.`)
    }
    note()
    await state.untilUnlocked()
    await state.prompts.ask()
  }
  switch (method) {
    case 'eth_accounts':
      return state.listAccounts()
    case 'eth_requestAccounts':
      if (state.listAccounts().length === 0) {
        await ask()
        await state.permit()
      }
      return state.listAccounts()
    case 'wallet_connect': {
      const wish = Object(Object(Object(params[0]).capabilities).signInWithEthereum)
      if (!state.signInWithEthereum) throw refusal(4200, `${method} is not supported.`)
      await ask()
      await state.permit()
      const [address = ''] = state.listAccounts()
      const key = findKey(state, address)
      const text = state.takeText(writeSignIn(wish, key.address))
      const signature = await key.signMessage({ message: text })
      state.signed.push(text)
      await state.finishSigning()
      return { accounts: [{ address, capabilities: { signInWithEthereum: { message: text, signature } } }] }
    }
    case 'wallet_revokePermissions':
      await state.revoke()
      return null
    case 'eth_chainId':
      return `0x${state.chainId.toString(16)}`
    case 'wallet_switchEthereumChain':
    case 'wallet_addEthereumChain': {
      const wanted = Number(Object(params[0]).chainId)
      const isKnown = state.chains.has(wanted) || method === 'wallet_addEthereumChain'
      if (!isKnown) throw refusal(4902, `Unrecognized chain ID ${Object(params[0]).chainId}.`)
      if (wanted === state.chainId) return null
      await ask()
      await state.switchChain(wanted)
      return null
    }
    case 'personal_sign': {
      const [data, address] = params
      const key = findKey(state, address)
      await ask()
      const text = state.takeText(isHex(data) ? hexToString(data) : String(data))
      const signature = await key.signMessage({ message: text })
      state.signed.push(text)
      await state.finishSigning()
      return signature
    }
    case 'eth_signTypedData_v4': {
      const [address, text] = params
      const key = findKey(state, address)
      await ask()
      const signature = await key.signTypedData(JSON.parse(String(text)))
      state.signed.push(String(text))
      await state.finishSigning()
      return signature
    }
    case 'wallet_sendCalls':
    case 'wallet_getCallsStatus':
    case 'wallet_getCapabilities':
      return answerCalls(state, method, params, ask)
    case 'eth_sendTransaction': {
      const key = findKey(state, Object(params[0]).from)
      await ask()
      return sendTransaction(state, key, Object(params[0]))
    }
    default:
      return read(state, method, params)
  }
}

/** Several calls by one prompt, as EIP-5792 has it. */
async function answerCalls(
  state: TestState,
  method: string,
  params: readonly unknown[],
  ask: () => Promise<void>,
): Promise<unknown> {
  if (!state.sendsCalls) throw refusal(4200, `${method} is not supported.`)
  if (method === 'wallet_getCapabilities') {
    const abilities = { atomic: { status: 'unsupported' }, paymasterService: { supported: true } }
    return Object.fromEntries([...state.chains].map((chain) => [`0x${chain.toString(16)}`, abilities]))
  }
  if (method === 'wallet_getCallsStatus') {
    const hashes = state.batches.get(String(params[0]))
    if (!hashes) throw refusal(5730, 'No such calls are known.')
    const found = await Promise.all(hashes.map((hash) => read(state, 'eth_getTransactionReceipt', [hash])))
    const receipts = found.filter((receipt) => receipt !== null)
    const isDone = receipts.length === hashes.length
    return { version: '2.0.0', id: params[0], atomic: false, status: isDone ? 200 : 100, receipts }
  }
  const { from, calls } = Object(params[0]) as { from?: string; calls?: object[] }
  const key = findKey(state, from)
  await ask()
  const hashes: string[] = []
  for (const call of calls ?? []) hashes.push(await sendTransaction(state, key, call))
  const id = `0x${(state.batches.size + 1).toString(16).padStart(64, '0')}`
  state.batches.set(id, hashes)
  return { id }
}

/** The text of EIP-4361, of the parts that the page gave. */
function writeSignIn(wish: Record<string, unknown>, address: string): string {
  const { domain, uri, statement, chainId, nonce, issuedAt, expirationTime } = wish
  const head = `${domain} wants you to sign in with your Ethereum account:\n${address}\n\n${statement}\n\n`
  const times = `Issued At: ${issuedAt}\nExpiration Time: ${expirationTime}`
  return `${head}URI: ${uri}\nVersion: 1\nChain ID: ${Number(chainId)}\nNonce: ${nonce}\n${times}`
}

function findKey({ keys, listAccounts }: TestState, address: unknown): TestState['keys'][number] {
  const wanted = String(address).toLowerCase()
  const key = keys.find((one) => one.address.toLowerCase() === wanted)
  if (!key || !listAccounts().includes(wanted)) {
    throw refusal(4100, 'The requested account has not been authorized by the user.')
  }
  return key
}

async function read({ rpcUrl }: TestState, method: string, params: readonly unknown[]): Promise<unknown> {
  if (!rpcUrl) throw refusal(4200, `${method} is not supported.`)
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const answer = (await response.json()) as { result?: unknown; error?: unknown }
  if (answer.error) throw answer.error
  return answer.result
}
