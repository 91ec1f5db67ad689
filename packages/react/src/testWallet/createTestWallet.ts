import { answerEvm } from './answerEvm.ts'
import { answerSolana } from './answerSolana.ts'
import { createPrompts } from './createPrompts.ts'
import { createSolanaKey } from './createSolanaKey.ts'
import { createState } from './createState.ts'
import type { PageEvent, PageHost } from './PageCall.ts'
import { refusal, toTestError } from './refusal.ts'
import type { TestRequest, TestWallet, TestWalletOptions } from './TestWallet.ts'

/**
 * Creates a wallet with real keys, controlled by the test. `addTestWallet` puts one into the pages of a browser,
 * `announceTestWallet` into the page that the test itself runs in.
 *
 * @example
 * const wallet = announceTestWallet(await createTestWallet({ name: 'My wallet' }), window)
 * wallet.rejectNext()
 */
export async function createTestWallet(options: TestWalletOptions = {}): Promise<TestWallet & PageHost> {
  const listeners = new Set<(event: PageEvent) => void | Promise<void>>()
  const emit = async (event: PageEvent) => {
    await Promise.all([...listeners].map((listener) => listener(event)))
  }
  const requests: TestRequest[] = []
  const prompts = createPrompts()
  const solanaKeys = await Promise.all(Array.from({ length: options.accounts ?? 2 }, createSolanaKey))
  const state = createState(options, { emit, prompts, solanaKeys })
  let isAnnounced = options.announce !== 'later'

  return {
    addresses: state.keys.map(({ address }) => address),
    solanaAddresses: solanaKeys.map(({ address }) => address),
    info: {
      uuid: crypto.randomUUID(),
      name: options.name ?? 'Test Wallet',
      rdns: options.rdns ?? 'org.countersign.test-wallet',
      icon: options.icon ?? defaultIcon,
      evm: options.evm ?? 'announced',
      solana: options.solana ?? 'none',
    },
    async answer({ method, params }) {
      if (method === 'test:isAnnounced') return { result: isAnnounced }
      const request = { method, params, isPrompt: false }
      requests.push(request)
      const note = () => {
        request.isPrompt = true
      }
      try {
        const answer = method.startsWith('solana:') ? answerSolana : answerEvm
        return { result: await answer(state, method, params, note) }
      } catch (error) {
        return { error: toTestError(error) }
      }
    },
    watch(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    hold: prompts.hold,
    release: prompts.release,
    approve: async () => {
      await prompts.settle()
      await state.endPending(true)
    },
    reject: async () => {
      await prompts.settle(refusal(4001, 'User rejected the request.'))
      await state.endPending(false)
    },
    rejectNext: (error = refusal(4001, 'User rejected the request.')) => prompts.script(error),
    leavePending: state.leavePending,
    lock: state.lock,
    unlock: state.unlock,
    switchAccount: state.switchAccount,
    switchAccountWhileSigning: state.switchAccountWhileSigning,
    switchChain: state.switchChain,
    slow: prompts.slow,
    revoke: state.revoke,
    disconnect: () =>
      emit({ type: 'evm', name: 'disconnect', payload: { code: 4900, message: 'The wallet has gone away.' } }),
    loseChain: () =>
      emit({
        type: 'evm',
        name: 'disconnect',
        payload: { code: 1013, message: 'MetaMask: Disconnected from chain. Attempting to connect.' },
      }),
    async announce() {
      isAnnounced = true
      await emit({ type: 'announce' })
    },
    alterNextText: state.alterNextText,
    requests: () => requests,
    prompts: () => requests.filter(({ isPrompt }) => isPrompt),
    signed: () => state.signed,
    clear() {
      requests.length = 0
      state.signed.length = 0
    },
  }
}

const defaultIcon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%23345'/%3E%3Cpath d='M8 16l5 5 11-11' stroke='%23fff' stroke-width='3' fill='none'/%3E%3C/svg%3E"
