import { shortenAddress, useUpdateWallet, type Wallet } from '@countersign/react'
import { useEffect } from 'react'
import { problemOf } from '../lib/problemOf.ts'
import { say } from '../lib/say.ts'
import { useFormProblem } from '../lib/useFormProblem.ts'
import { Button } from './Button.tsx'
import { Form } from './Form.tsx'
import { FormProblemAlert } from './FormProblemAlert.tsx'
import { TextField } from './TextField.tsx'

/** Names a wallet, in its place in the list. Esc leaves it as it was. */
export function WalletLabelForm({ wallet, onLeave }: { wallet: Wallet; onLeave: () => void }) {
  const { updateWallet, status } = useUpdateWallet()
  const { formRef, problem, setProblem, secondsLeft } = useFormProblem()
  useEffect(() => {
    const input = formRef.current?.querySelector('input')
    input?.focus()
    input?.select()
  }, [formRef])
  const save = ({ label = '' }: Record<string, string>) => {
    if (status === 'pending') return
    if (label.trim() === (wallet.label ?? '')) return onLeave()
    setProblem(undefined)
    void updateWallet(
      { objectId: wallet.objectId, label: label.trim() || null },
      { onSuccess: onLeave, onError: (error) => setProblem(problemOf(error)) },
    )
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Esc is a shortcut for the button Cancel
    <div onKeyDown={(event) => event.key === 'Escape' && onLeave()}>
      <Form formRef={formRef} onSubmit={save} label={say('Rename the wallet')} className="max-w-md gap-3">
        <FormProblemAlert problem={problem} secondsLeft={secondsLeft} />
        <TextField
          label={say('Name of {wallet}', { wallet: shortenAddress(wallet.address) })}
          name="label"
          defaultValue={wallet.label ?? ''}
          maxLength={60}
          autoComplete="off"
        />
        <div className="flex gap-2">
          <Button type="submit" pending={status === 'pending'}>
            {say('Save')}
          </Button>
          <Button look="secondary" onClick={onLeave}>
            {say('Cancel')}
          </Button>
        </div>
      </Form>
    </div>
  )
}
