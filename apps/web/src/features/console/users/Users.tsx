import { Route, Routes } from 'react-router'
import { lazyPart } from '../../../ui/lazyPart.ts'
import { UserList } from './UserList.tsx'

const UserPage = lazyPart(async () => (await import('./UserPage.tsx')).UserPage)

export function Users() {
  return (
    <Routes>
      <Route index element={<UserList />} />
      <Route path=":objectId" element={<UserPage />} />
    </Routes>
  )
}
