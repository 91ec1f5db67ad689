import { useSession } from '@countersign/react'
import { DeleteAccountCard } from '../components/DeleteAccountCard.tsx'
import { ExportCard } from '../components/ExportCard.tsx'
import { PageHeader } from '../components/PageHeader.tsx'
import { PreferencesCard } from '../components/PreferencesCard.tsx'
import { ProfileForm } from '../components/ProfileForm.tsx'
import { findSessionUser } from '../lib/findSessionUser.ts'
import { say } from '../lib/say.ts'

export function Profile() {
  const user = findSessionUser(useSession())
  if (!user) return null
  return (
    <>
      <PageHeader title={say('Profile')}>
        {say('How you are known here, and what else belongs to your account.')}
      </PageHeader>
      <ProfileForm user={user} />
      <div className="mt-6 flex flex-col gap-6">
        <PreferencesCard user={user} />
        <ExportCard />
        <DeleteAccountCard user={user} />
      </div>
    </>
  )
}
