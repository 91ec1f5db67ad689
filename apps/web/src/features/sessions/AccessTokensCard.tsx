import type { TokenInput } from '@countersign/protocol'
import type { CountersignError } from '@countersign/react'
import {
  type AccessToken,
  useAccessTokens,
  useCreateAccessToken,
  useRevokeAccessToken,
} from '@countersign/react/account'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { StepUpDialog } from '../../account/signIn/StepUpDialog.tsx'
import { needsStepUp, useConfirmation } from '../../account/signIn/useConfirmation.ts'
import { TokenDialog } from '../../account/tokens/TokenDialog.tsx'
import { TokenRow } from '../../account/tokens/TokenRow.tsx'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { Card, CardHeader } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ReadingStatus } from '../../ui/feedback/ReadingStatus.tsx'
import { toasts } from '../../ui/feedback/toasts.ts'
import { describeError } from '../../ui/forms/describeError.ts'

/** Tokens of programs that act for the person. */
export function AccessTokensCard() {
  const tokens = useAccessTokens()
  const { createAccessTokenAsync } = useCreateAccessToken()
  const { revokeAccessToken } = useRevokeAccessToken()
  const { ask, dialog } = useConfirmation()
  const [creating, setCreating] = useState(false)

  const create = async (draft: TokenInput) => {
    try {
      return await createAccessTokenAsync(draft)
    } catch (error) {
      if (!needsStepUp(error as CountersignError)) throw error
      setCreating(false)
      ask(() => setCreating(true))
      return undefined
    }
  }
  const revoke = ({ objectId, name }: AccessToken) =>
    revokeAccessToken(
      { objectId },
      {
        onSuccess: () => toasts.add(t('Revoked: {name}.', { name }), 'ok'),
        onError: (error) => toasts.add(describeError(error).message, 'danger'),
      },
    )
  return (
    <Card aria-labelledby="access-tokens">
      <CardHeader
        id="access-tokens"
        title={t('Access tokens')}
        aside={
          <Button look="secondary" onClick={() => setCreating(true)}>
            {t('New token')}
          </Button>
        }
      >
        {t('Let programs act for you within narrow scopes. Signing out all other devices revokes them, too.')}
      </CardHeader>
      <ReadingStatus reading={tokens} failure={t('Your access tokens could not be loaded')} bare />
      {tokens.data?.length === 0 && <EmptyState icon={KeyRound} title={t('No access tokens')} />}
      {tokens.data && tokens.data.length > 0 && (
        <ul className="-my-3.5 divide-y divide-line">
          {tokens.data.map((token) => (
            <TokenRow
              key={token.objectId}
              token={token}
              actions={
                <Button
                  look="secondary"
                  onClick={() => void revoke(token)}
                  aria-label={t('Revoke {name}', { name: token.name })}
                  className="max-sm:px-3"
                >
                  {t('Revoke')}
                </Button>
              }
            />
          ))}
        </ul>
      )}
      <TokenDialog
        open={creating}
        onOpenChange={setCreating}
        title={t('New access token')}
        hint={t('For example: {scopes}', { scopes: 'Score:read Score:write function:submitScore account:read' })}
        create={create}
      />
      <StepUpDialog {...dialog} />
    </Card>
  )
}
