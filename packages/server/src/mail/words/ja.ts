import type { MailWords } from './en.ts'

export const words: MailWords = {
  verifySubject: '{app} のメールアドレスを確認してください',
  verifyText:
    '{name} さん\n\nこれがあなたのメールアドレスであることを確認してください：\n\n{link}\n\nお心当たりがない場合は、このメールを無視してください。\n',
  resetSubject: '{app} の新しいパスワードを設定してください',
  resetText:
    '{name} さん\n\nこのリンクから新しいパスワードを設定してください：\n\n{link}\n\nお心当たりがない場合は、このメールを無視してください。パスワードは変わりません。\n',
  newDeviceSubject: '{app} のアカウントに新しい端末からサインインがありました',
  newDeviceText:
    '{name} さん\n\nこれまで使われていない端末から、あなたのアカウントにサインインがありました。\n\n端末：{device}\nアドレス：{address}\n日時：{time}\n\nご本人であれば、何もする必要はありません。そうでない場合は、こちらからお知らせください：\n\n{link}\n',
  unknown: '不明',
  changeSubject: '{app} のアカウントに変更がありました',
  changeText:
    '{name} さん\n\n{what}\n\n日時は {time} です。お心当たりがない場合は、サインインしてサインイン方法を確認し、ほかのセッションを終了してください。\n',
  walletAdded: 'ウォレット {address} がアカウントに追加されました。今後はこのウォレットでサインインできます。',
  walletRemoved: 'ウォレット {address} がアカウントから削除されました。',
  walletRestored: 'ウォレット {address} がアカウントに戻されました。',
  passkeyAdded: 'パスキーがアカウントに追加されました。',
  passkeyRemoved: 'パスキーがアカウントから削除されました。',
  mergedInto: 'アカウント {from} があなたのアカウント {into} に統合されました。24 時間以内なら元に戻せます。',
  mergedAway: 'あなたのアカウント {from} はアカウント {into} に統合され、なくなりました。24 時間以内なら元に戻せます。',
  mergeUndone: 'あなたのアカウントと別のアカウントの統合が取り消されました。',
  recoveryCodesMade: '新しいリカバリーコードが作成されました。以前のものは使えなくなりました。',
  recoveryCodeUsed: 'リカバリーコードでサインインがありました。このコードは二度と使えません。',
  alertsOff: '新しい端末の通知がオフになりました。',
}
