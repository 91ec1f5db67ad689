import {
  CountersignProvider,
  useLiveDocuments,
  useSaveDocument,
  useSession,
  useSignInWithPassword,
  useSignOut,
  useSignUp,
} from '@countersign/react/native'
import { useState } from 'react'
import { Button, FlatList, SafeAreaView, StyleSheet, Text, TextInput } from 'react-native'
import { client } from './countersign.ts'

export function App() {
  return (
    <CountersignProvider client={client} initializeOnMount>
      <SafeAreaView style={styles.page}>
        <Account />
        <Scores />
      </SafeAreaView>
    </CountersignProvider>
  )
}

function Account() {
  const session = useSession()
  const { signOut } = useSignOut()
  if (session.status === 'undefined') return <Text>One moment</Text>
  if (session.status !== 'authenticated') return <SignIn />
  const { username = 'somebody' } = session.user
  return (
    <>
      <Text>Hello, {username}</Text>
      <Save player={username} />
      <Button title="Sign out" onPress={() => void signOut()} />
    </>
  )
}

function SignIn() {
  const { signInWithPassword, error } = useSignInWithPassword()
  const { signUp, error: refusal } = useSignUp()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const fault = error ?? refusal
  return (
    <>
      <TextInput placeholder="Username" autoCapitalize="none" value={username} onChangeText={setUsername} />
      <TextInput placeholder="Password" secureTextEntry value={password} onChangeText={setPassword} />
      <Button title="Sign in" onPress={() => void signInWithPassword({ username, password })} />
      <Button title="Create account" onPress={() => void signUp({ username, password })} />
      {fault && <Text accessibilityRole="alert">{fault.message}</Text>}
    </>
  )
}

function Save({ player }: { player: string }) {
  const { create, status } = useSaveDocument('Score')
  const save = () => void create({ player, points: Math.round(Math.random() * 1000) })
  return <Button title="Save a score" disabled={status === 'pending'} onPress={save} />
}

/** Follows what everybody saves, as it is saved. */
function Scores() {
  const { data: scores = [] } = useLiveDocuments('Score', { order: ['-points'], limit: 10 })
  return (
    <FlatList
      data={scores}
      keyExtractor={({ objectId }) => objectId}
      renderItem={({ item: { player, points } }) => (
        <Text>
          {player}: {points}
        </Text>
      )}
    />
  )
}

const styles = StyleSheet.create({ page: { flex: 1, gap: 12, padding: 24 } })
