import { MailOpen } from 'lucide-react'
import { Card } from '../components/Card.tsx'
import { EmptyState } from '../components/EmptyState.tsx'
import { MailList } from '../components/MailList.tsx'
import { Main } from '../components/Main.tsx'
import { PageHeader } from '../components/PageHeader.tsx'
import { say } from '../lib/say.ts'
import { useConfig } from '../lib/useConfig.ts'

export function Outbox() {
  const { outbox } = useConfig()
  return (
    <Main className="mx-auto w-full max-w-3xl px-4 pt-4 pb-12 sm:px-6">
      {outbox ? (
        <MailList />
      ) : (
        <>
          <PageHeader title={say('Outbox')} />
          <Card>
            <EmptyState icon={MailOpen} title={say('Mail is sent, not kept')}>
              {say('This server sends its mail through a mail server. There is nothing to read here.')}
            </EmptyState>
          </Card>
        </>
      )}
    </Main>
  )
}
