import type { TokenGateRecord } from '@countersign/protocol'
import { type FormEvent, useId, useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Alert } from '../../../ui/feedback/Alert.tsx'
import { ReadingStatus } from '../../../ui/feedback/ReadingStatus.tsx'
import { toasts } from '../../../ui/feedback/toasts.ts'
import { SelectField, TextField } from '../../../ui/forms/Field.tsx'
import { ask, type Input, type Output, useAsk } from '../ask.ts'
import { useFormChange } from '../useChange.ts'

type Kind = Input<'createTokenGate'>['kind']
type Values = { role: string; chain: string; kind: Kind; token: string; tokenId: string; amount: string }
type Props = { gate?: TokenGateRecord; onClose: () => void; onSaved: () => void }

const kinds: readonly Kind[] = ['erc721', 'erc20', 'erc1155', 'native']

/** Form of a token gate. It tries an address before it saves, and creates the role if there is none of that name. */
export function TokenGateForm({ gate, onClose, onSaved }: Props) {
  const chains = useAsk('getChainStatus', {})
  const title = gate ? t('Edit token gate') : t('New token gate')
  return (
    <Dialog open onOpenChange={onClose} title={title} description={t('Members of the role change with the chain.')}>
      {chains.data ? (
        <Fields
          chains={chains.data.results.map((each) => [String(each.chain), `${each.name} (${each.chain})`] as const)}
          gate={gate}
          onClose={onClose}
          onSaved={onSaved}
        />
      ) : (
        <ReadingStatus reading={chains} failure={t('The chains could not be loaded')} bare />
      )}
    </Dialog>
  )
}

type FieldsProps = Omit<Props, 'gate'> & {
  chains: readonly (readonly [string, string])[]
  gate: TokenGateRecord | undefined
}

function Fields({ chains, gate, onClose, onSaved }: FieldsProps) {
  const list = useId()
  const roles = useAsk('listConsoleRoles', { limit: '100' })
  const [values, setValues] = useState<Values>(() => ({
    role: gate?.role ?? '',
    chain: String(gate?.chain ?? chains[0]?.[0] ?? ''),
    kind: (gate?.kind as Kind | undefined) ?? 'erc721',
    token: gate?.token ?? '',
    tokenId: gate?.tokenId ?? '',
    amount: gate?.amount ?? '1',
  }))
  const { pending, problem, send } = useFormChange()
  const set = (change: Partial<Values>) => setValues({ ...values, ...change })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!(await send(() => save(values, gate)))) return
    toasts.add(gate ? t('Token gate saved') : t('Token gate created'), 'ok')
    onSaved()
    onClose()
  }
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <TextField
        label={t('Role')}
        name="role"
        list={list}
        value={values.role}
        onChange={(event) => set({ role: event.target.value })}
        hint={t('Created if there is none with this name.')}
        required
        maxLength={200}
      />
      <datalist id={list}>
        {roles.data?.results.map(({ objectId, name }) => (
          <option key={objectId} value={name} />
        ))}
      </datalist>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField label={t('Chain')} value={values.chain} options={chains} onChange={(chain) => set({ chain })} />
        <SelectField
          label={t('Token type')}
          value={values.kind}
          options={kinds.map((kind) => [kind, nameKind(kind)] as const)}
          onChange={(kind) => set({ kind: kind as Kind })}
        />
      </div>
      {values.kind !== 'native' && (
        <TextField
          label={t('Contract address')}
          name="token"
          dir="ltr"
          value={values.token}
          onChange={(event) => set({ token: event.target.value.trim() })}
          placeholder="0x…"
          pattern="0x[0-9a-fA-F]{40}"
          required
          maxLength={42}
        />
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        {(values.kind === 'erc721' || values.kind === 'erc1155') && (
          <TextField
            label={values.kind === 'erc721' ? t('Token ID (optional)') : t('Token ID')}
            name="tokenId"
            dir="ltr"
            inputMode="numeric"
            pattern="\d{1,78}"
            value={values.tokenId}
            onChange={(event) => set({ tokenId: event.target.value.trim() })}
            required={values.kind === 'erc1155'}
            maxLength={78}
          />
        )}
        <TextField
          label={t('Minimum amount')}
          name="amount"
          dir="ltr"
          inputMode="numeric"
          pattern="\d{1,78}"
          value={values.amount}
          onChange={(event) => set({ amount: event.target.value.trim() })}
          {...(values.kind !== 'erc721' && { hint: t('In the smallest unit') })}
          required
          maxLength={78}
        />
      </div>
      <AddressTest values={values} />
      {problem && <Alert tone="danger">{problem}</Alert>}
      <Button type="submit" pending={pending} className="self-start">
        {gate ? t('Save') : t('Create')}
      </Button>
    </form>
  )
}

/** Asks the chain if an address holds enough, with the values of the form. */
function AddressTest({ values }: { values: Values }) {
  const [address, setAddress] = useState('')
  const [answer, setAnswer] = useState<Output<'testTokenGate'>>()
  const { pending, problem, send } = useFormChange()
  const test = async () => {
    const input = { ...(readGate(values) as Omit<Input<'testTokenGate'>, 'address'>), chain: values.chain, address }
    setAnswer(await send(() => ask('testTokenGate', input)))
  }
  return (
    <div className="rounded-control bg-sunken p-3">
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label={t('Test an address')}
            dir="ltr"
            value={address}
            onChange={(event) => setAddress(event.target.value.trim())}
            placeholder="0x…"
            maxLength={42}
          />
        </div>
        <Button look="secondary" pending={pending} onClick={() => void test()}>
          {t('Test|action')}
        </Button>
      </div>
      <div aria-live="polite">
        {(problem || answer) && (
          <Alert tone={problem ? 'danger' : answer?.isHeld ? 'ok' : 'warn'} className="mt-3">
            {problem ?? (answer && describeTest(answer))}
          </Alert>
        )}
      </div>
    </div>
  )
}

const describeTest = ({ isHeld, amount }: Output<'testTokenGate'>) =>
  isHeld
    ? t('This address holds {amount} and gets the role.', { amount })
    : t('This address holds {amount}, which is not enough.', { amount })

/** Fields that fit the kind: the server refuses others. */
function readGate({ chain, kind, token, tokenId, amount }: Values): Omit<Input<'createTokenGate'>, 'role'> {
  return {
    chain: Number(chain),
    kind,
    ...(kind !== 'native' && { token }),
    ...((kind === 'erc721' || kind === 'erc1155') && tokenId !== '' && { tokenId }),
    ...(amount !== '' && { amount }),
  }
}

/** An edited gate is created before the former one is deleted: a holder of both keeps the role in between. */
async function save(values: Values, former: TokenGateRecord | undefined): Promise<true> {
  const role = values.role.trim()
  const { results } = await ask('listConsoleRoles', { search: role, limit: '100' })
  if (!results.some(({ name }) => name === role)) await ask('createObject', { className: '_Role', name: role, ACL: {} })
  await ask('createTokenGate', { ...readGate(values), role })
  if (former) await ask('deleteTokenGate', { objectId: former.objectId })
  return true
}

export function nameKind(kind: string): string {
  if (kind === 'native') return t('Native currency')
  return kind === 'erc721' ? 'NFT (ERC-721)' : kind.replace('erc', 'ERC-')
}
