// Types by name: the name of a hook or an action gives its result and its input. Compiling is the test.

import type * as account from '../src/account.ts'
import type { Activity, SecondFactor, UndoDeadline, Wallet } from '../src/account.ts'
import type * as chain from '../src/chain.ts'
import type { Portfolio } from '../src/chain.ts'
import type * as index from '../src/index.ts'
import type { ActionInput, ActionResult, Doc, HookResult, User } from '../src/index.ts'

type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false

/** Every hook of the three entries has a result by its name. */
type HookOf<Entry> = keyof Entry & `use${string}`
export type All = HookResult<HookOf<typeof index> | HookOf<typeof account> | HookOf<typeof chain>>

true satisfies Same<HookResult<'useSession'>, ReturnType<typeof index.useSession>>
true satisfies Same<HookResult<'useUser'>, User | undefined>
true satisfies Same<HookResult<'useLinkWallet'>, ReturnType<typeof account.useLinkWallet>>
true satisfies Same<NonNullable<HookResult<'useActivity'>['data']>, readonly Activity[]>
true satisfies Same<NonNullable<HookResult<'usePortfolio'>['data']>, Portfolio>
true satisfies Same<NonNullable<HookResult<'useDocuments', 'Game'>['data']>[number], Doc<'Game'>>
true satisfies Same<NonNullable<HookResult<'useDocumentPages', 'Game'>['data']>[number], Doc<'Game'>>

true satisfies Same<ActionInput<'unlinkWallet'>, { objectId: string }>
true satisfies Same<ActionInput<'signUp'>['username'], string>
true satisfies Same<ActionResult<'linkWallet'>, Wallet>
true satisfies Same<ActionResult<'unlinkWallet'>, UndoDeadline>
true satisfies Same<ActionResult<'confirmTotp'>, SecondFactor>
true satisfies Same<ActionResult<'signInWithPassword'>, User>

// @ts-expect-error no such hook
export type NoHook = HookResult<'useNothing'>
// @ts-expect-error no such action
export type NoAction = ActionInput<'doNothing'>
// @ts-expect-error an unlinked wallet is named by its id
export const wrong: ActionInput<'unlinkWallet'> = { address: '0x' }

/** No hook shows data that nobody knows the type of. */
type Unknown<Hook> = Hook extends Parameters<(hook: HookOf<typeof account> | HookOf<typeof chain>) => void>[0]
  ? HookResult<Hook> extends { readonly data?: infer Data }
    ? unknown extends Data
      ? Hook
      : never
    : never
  : never
true satisfies Same<Unknown<HookOf<typeof account> | HookOf<typeof chain>>, 'useReadContract'>
