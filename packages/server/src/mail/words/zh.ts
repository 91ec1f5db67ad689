import type { MailWords } from './en.ts'

export const words: MailWords = {
  reader: '用户',
  testSubject: '来自 {app} 的测试邮件',
  testText: '这是一封测试邮件。{app} 可以发送邮件。\n',
  verifySubject: '验证你在 {app} 的邮箱地址',
  verifyText: '{name}，你好：\n\n请验证你的邮箱地址：\n\n{link}\n\n如果这不是你的请求，可以忽略此邮件。\n',
  resetSubject: '重置你在 {app} 的密码',
  resetText:
    '{name}，你好：\n\n请使用此链接设置新密码：\n\n{link}\n\n如果这不是你的请求，可以忽略此邮件。你的密码不会改变。\n',
  resetTextAlone:
    '{name}，你好：\n\n请使用此链接设置新密码：\n\n{link}\n\n此邮箱地址从未在登录账户的状态下验证过。因此，新密码将成为唯一的登录方式：账户中的钱包、通行密钥和恢复码都会被移除。\n\n如果这不是你的请求，可以忽略此邮件。一切保持不变。\n',
  resetTextGuarded:
    '{name}，你好：\n\n请使用此链接设置新密码：\n\n{link}\n\n此邮箱地址从未在登录账户的状态下验证过，且该账户受到保护。重置密码需要该账户的第二重验证。如果无法提供，你可以通过此链接使用此邮箱地址创建新账户。\n\n如果这不是你的请求，可以忽略此邮件。一切保持不变。\n',
  emailCodeSubject: '你的 {app} 登录验证码',
  emailCodeText:
    '{name}，你好：\n\n你的 {app} 登录验证码是：\n\n{code}\n\n有效期为 {minutes} 分钟，只能在你发起请求的浏览器中使用一次。\n',
  emailCodeLink: '或者在同一浏览器中打开此链接：\n\n{link}\n',
  emailCodeAlone:
    '此邮箱地址从未在登录账户的状态下验证过。因此登录后，该账户的密码、钱包、通行密钥和恢复码将被移除，所有设备都会登出。\n',
  emailCodeEnd: '请勿将此验证码告诉任何人。我们的工作人员不会向你索要。如果这不是你的请求，可以忽略此邮件。\n',
  emailCodeTookOver:
    '有人使用发送到此地址的验证码登录了你的账户。由于此地址从未在登录账户的状态下验证过，密码、钱包、通行密钥和恢复码已被移除，所有设备均已登出。',
  secondFactorOn: '第二重验证已开启。登录时将要求验证。',
  secondFactorOff: '第二重验证已关闭。',
  secondFactorGuessed:
    '有人使用你的密码或其他登录方式登录，并多次输入错误的第二重验证码。一天内不再接受验证码；恢复码和通行密钥仍然有效。',
  newDeviceSubject: '有新设备登录了你在 {app} 的账户',
  newDeviceText:
    '{name}，你好：\n\n一台新设备登录了你的账户。\n\n设备：{device}\nIP 地址：{address}\n时间：{time}\n\n如果是你本人的操作，则无需处理。如果不是，请保护你的账户：\n\n{link}\n',
  unknown: '未知',
  changeSubject: '你在 {app} 的账户已更改',
  changeText:
    '{name}，你好：\n\n{what}\n\n时间：{time}。如果不是你本人的操作，请登录，检查你的登录方式，并登出其他会话。\n',
  additionText:
    '{name}，你好：\n\n{what}\n\n时间：{time}。如果是你本人的操作，则无需处理。如果不是，请在 {until} 之前打开此链接，并使用账户之前就有的密码、钱包或通行密钥。这会移除此后添加的所有内容（包括第二重验证），并登出所有设备：\n\n{link}\n',
  accountRecovered: '你的账户已找回。所有设备均已登出，密码以及近期添加的所有内容都已被移除。',
  walletAdded: '钱包 {address} 已添加到你的账户，现在可以用它登录。',
  walletRemoved: '钱包 {address} 已从你的账户移除。',
  walletRestored: '钱包 {address} 已恢复到你的账户。',
  passwordAdded: '你的账户添加了密码。',
  passwordChanged: '你的账户密码已更改。',
  connectedApp: '有一个应用现在可以访问你的账户：{app}。你可以在账户的“已连接的应用”中终止其访问权限。',
  passkeyAdded: '你的账户添加了一个通行密钥。',
  accessTokenCreated: '你的账户创建了一个名为“{name}”的访问令牌。',
  passkeyRemoved: '你的账户移除了一个通行密钥。',
  passkeyRestored: '你的账户恢复了一个通行密钥。',
  guestIdAdded: '你的账户添加了一个访客 ID，现在可以用它登录。',
  guestIdRemoved: '你的账户移除了访客 ID。',
  identityAdded: '现在可以用 {provider} 登录你的账户。',
  identityRemoved: '{provider} 已从你账户的登录方式中移除。',
  mergedInto: '账户 {from} 已合并到你的账户 {into}。你可以在 {until} 之前撤销。',
  mergedAwayLink:
    '如果不是你本人的操作，请在 {until} 之前打开此链接撤销合并。你的账户将恢复，并可设置新密码：\n\n{link}\n',
  mergedAway: '你的账户 {from} 已合并到账户 {into}，不再存在。你可以在 {until} 之前撤销。',
  mergeUndone: '你的账户与另一个账户的合并已撤销。',
  recoveryCodesMade: '已生成新的恢复码。旧恢复码不再有效。',
  recoveryCodeUsed: '有人用恢复码登录了。该恢复码不能再次使用。',
  alertsOff: '新设备提醒已关闭。',
  emailChangedSubject: '此邮箱地址已从你在 {app} 的账户中移除',
  emailChangedText:
    '{name}，你好：\n\n此邮箱地址已于 {time} 从你的账户中移除，或被替换为另一个地址。\n\n如果是你本人的操作，则无需处理。如果不是，请找回你的账户：\n\n{link}\n\n此链接在 {until} 之前有效。它会恢复此地址，登出所有设备，并移除此后添加的所有登录方式。\n',
  emailChangedNotice:
    '{name}，你好：\n\n此邮箱地址已于 {time} 从你的账户中移除，或被替换为另一个地址。\n\n如果不是你本人的操作，请登录，检查你的登录方式，并登出其他会话。\n',
  emailRestored: '此邮箱地址已恢复到你的账户。所有设备均已登出，密码以及更改地址之后添加的所有登录方式都已被移除。',
  passwordReset: '已通过发送到你邮箱的链接设置了新密码。旧恢复码不再有效。',
  passwordResetAlone:
    '已通过发送到你邮箱的链接设置了新密码。它现在是唯一的登录方式：由于此地址从未在登录账户的状态下验证过，钱包、通行密钥和恢复码都已被移除。',
  deletionScheduled: '你的账户将于 {time} 永久删除。在此之前，登录即可恢复。',
  accountRestored: '你的账户已恢复，不会再被删除。',
}
