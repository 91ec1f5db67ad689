import { useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { useAsk } from '../ask.ts'
import { Picker } from './UserPicker.tsx'

/** Finds a role by name or id, and picks one of those found. */
export function RolePicker({ onPick }: { onPick: (objectId: string, name: string) => void }) {
  const [search, setSearch] = useState('')
  const found = useAsk('listConsoleRoles', { search, limit: '8' }, { enabled: search !== '' })
  return (
    <Picker
      label={t('Find a role')}
      hint={t('Name or ID')}
      onSearch={setSearch}
      found={search === '' ? undefined : found}
      items={found.data?.results}
      onPick={({ objectId, name }) => onPick(objectId, name)}
    />
  )
}
