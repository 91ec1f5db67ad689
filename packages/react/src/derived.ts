import type * as account from './account.ts'
import type * as chain from './chain.ts'
import type { CloudFunctionName } from './core/documents/runFunction.ts'
import type { ClassName } from './core/values/Register.ts'
import type * as core from './core.ts'
import type * as accountHooks from './hooks/account/useAccount.ts'
import type * as secondFactor from './hooks/account/useSecondFactor.ts'
import type * as client from './hooks/client/useClient.ts'
import type * as read from './hooks/client/useRead.ts'
import type * as config from './hooks/documents/useConfig.ts'
import type * as pages from './hooks/documents/useDocumentPages.ts'
import type * as documents from './hooks/documents/useDocuments.ts'
import type * as functions from './hooks/documents/useFunction.ts'
import type * as live from './hooks/documents/useLiveDocuments.ts'
import type * as writes from './hooks/documents/useSaveDocument.ts'
import type * as upload from './hooks/documents/useUpload.ts'
import type * as farcaster from './hooks/session/useFarcaster.ts'
import type * as providers from './hooks/session/useProviders.ts'
import type * as session from './hooks/session/useSession.ts'
import type * as signIn from './hooks/session/useSignIn.ts'
import type * as emailCode from './hooks/session/useSignInWithEmailCode.ts'
import type * as wallet from './hooks/wallet/useWallet.ts'
import type * as push from './push.ts'
import type * as sheet from './sheet.ts'
import type * as transactions from './transactions.ts'

type Modules = typeof account &
  typeof accountHooks &
  typeof chain &
  typeof client &
  typeof config &
  typeof documents &
  typeof emailCode &
  typeof farcaster &
  typeof functions &
  typeof live &
  typeof pages &
  typeof providers &
  typeof push &
  typeof read &
  typeof secondFactor &
  typeof session &
  typeof sheet &
  typeof signIn &
  typeof transactions &
  typeof upload &
  typeof wallet &
  typeof writes

type HookName = keyof Modules & `use${string}`

/** Hooks whose result follows from the name of a class or of a function. */
type Named<Name extends string> = {
  useDocument: ReturnType<typeof documents.useDocument<Name & ClassName>>
  useDocumentPages: ReturnType<typeof pages.useDocumentPages<Name & ClassName>>
  useDocuments: ReturnType<typeof documents.useDocuments<Name & ClassName>>
  useFunction: ReturnType<typeof functions.useFunction<Name & CloudFunctionName>>
  useLiveDocuments: ReturnType<typeof live.useLiveDocuments<Name & ClassName>>
  useRunFunction: ReturnType<typeof functions.useRunFunction<Name & CloudFunctionName>>
  useSaveDocument: ReturnType<typeof writes.useSaveDocument<Name & ClassName>>
}

/** Data of a hook that takes `select`; without it that is what the hook shows. */
type Unselected<Given> =
  Extract<Given, { readonly select?: unknown }> extends {
    readonly select?: ((data: infer Data) => unknown) | undefined
  }
    ? Data
    : unknown

type WithData<State, Data> = State extends object
  ? { [Key in keyof State]: unknown extends State[Key] ? Data : State[Key] }
  : State

/**
 * Result of a hook, by the hook's name; hooks of documents and functions take the class or function as well.
 *
 * @example
 * function LinkButton({ linkWallet, status }: HookResult<'useLinkWallet'>) {
 *   return <button disabled={status === 'pending'} onClick={() => linkWallet({ connector: 'injected' })}>Link</button>
 * }
 * function Games({ data = [] }: HookResult<'useDocuments', 'Game'>) {
 *   return data.map((game) => <p key={game.objectId}>{game.title}</p>)
 * }
 */
export type HookResult<
  Hook extends HookName,
  Name extends ClassName | CloudFunctionName = ClassName | CloudFunctionName,
> = Hook extends keyof Named<string>
  ? Named<Name>[Hook]
  : Modules[Hook] extends (...given: infer Given) => infer Result
    ? unknown extends Unselected<Given[number]>
      ? Result
      : WithData<Result, Unselected<Given[number]>>
    : never

type Actions = {
  [Name in keyof typeof core as (typeof core)[Name] extends (client: core.Client, ...given: never[]) => Promise<unknown>
    ? Name
    : never]: (typeof core)[Name]
}

type GivenTo<Name extends keyof Actions> = Actions[Name] extends (client: core.Client, ...given: infer Given) => unknown
  ? Given
  : never

/**
 * Input of an action, by the action's name: `linkWallet` of `@countersign/react/core` and of `useLinkWallet` take the same.
 *
 * @example
 * const wallet: ActionInput<'updateWallet'> = { objectId: 'x1', primary: true }
 */
export type ActionInput<Name extends keyof Actions> = Exclude<GivenTo<Name>[0], undefined>

/**
 * Data that an action resolves to, by the action's name.
 *
 * @example
 * function show(wallet: ActionResult<'linkWallet'>) {
 *   return wallet.address
 * }
 */
export type ActionResult<Name extends keyof Actions> = Exclude<Awaited<ReturnType<Actions[Name]>>, undefined>
