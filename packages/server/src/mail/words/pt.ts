import type { MailWords } from './en.ts'

export const words: MailWords = {
  reader: 'usuário',
  testSubject: 'E-mail de teste de {app}',
  testText: 'Este é um e-mail de teste. {app} consegue enviar e-mails.\n',
  verifySubject: 'Verifique seu e-mail para {app}',
  verifyText:
    'Olá, {name},\n\nVerifique seu e-mail:\n\n{link}\n\nSe você não solicitou isso, pode ignorar esta mensagem.\n',
  resetSubject: 'Redefina sua senha de {app}',
  resetText:
    'Olá, {name},\n\nUse este link para escolher uma nova senha:\n\n{link}\n\nSe você não solicitou isso, pode ignorar esta mensagem. Sua senha continua a mesma.\n',
  resetTextAlone:
    'Olá, {name},\n\nUse este link para escolher uma nova senha:\n\n{link}\n\nEste endereço nunca foi verificado com a conta conectada. Por isso, a nova senha será o único método de login: as carteiras, as chaves de acesso e os códigos de recuperação serão removidos da conta.\n\nSe você não solicitou isso, pode ignorar esta mensagem. Nada mudará.\n',
  resetTextGuarded:
    'Olá, {name},\n\nUse este link para escolher uma nova senha:\n\n{link}\n\nEste endereço nunca foi verificado com a conta conectada, e a conta está protegida. Para redefinir a senha, você precisa do segundo fator dela. Sem ele, você pode usar este link para criar uma nova conta com este endereço.\n\nSe você não solicitou isso, pode ignorar esta mensagem. Nada mudará.\n',
  emailCodeSubject: 'Seu código de login para {app}',
  emailCodeText:
    'Olá, {name},\n\nSeu código de login para {app} é:\n\n{code}\n\nEle vale por {minutes} minutos e funciona uma única vez, no navegador em que você o solicitou.\n',
  emailCodeLink: 'Ou abra este link no mesmo navegador:\n\n{link}\n',
  emailCodeAlone:
    'Este endereço nunca foi verificado com a conta conectada. Por isso, ao entrar, a senha, as carteiras, as chaves de acesso e os códigos de recuperação da conta serão removidos e todos os dispositivos serão desconectados.\n',
  emailCodeEnd:
    'Não compartilhe este código com ninguém. Nossa equipe não vai pedi-lo. Se você não o solicitou, pode ignorar esta mensagem.\n',
  emailCodeTookOver:
    'Sua conta foi aberta com um código enviado para este endereço. A senha, as carteiras, as chaves de acesso e os códigos de recuperação foram removidos e todos os dispositivos desconectados, porque este endereço nunca havia sido verificado com a conta conectada.',
  secondFactorOn: 'Um segundo fator foi ativado. Ele será pedido ao entrar.',
  secondFactorOff: 'O segundo fator foi desativado.',
  secondFactorGuessed:
    'Alguém entrou com sua senha ou outro método de login e digitou muitos códigos errados do segundo fator. Por um dia, códigos não são aceitos; códigos de recuperação e chaves de acesso continuam funcionando.',
  newDeviceSubject: 'Novo dispositivo na sua conta de {app}',
  newDeviceText:
    'Olá, {name},\n\nUm novo dispositivo entrou na sua conta.\n\nDispositivo: {device}\nEndereço IP: {address}\nHora: {time}\n\nSe foi você, não é preciso fazer nada. Se não, proteja sua conta:\n\n{link}\n',
  unknown: 'desconhecido',
  changeSubject: 'Sua conta de {app} foi alterada',
  changeText:
    'Olá, {name},\n\n{what}\n\nHora: {time}. Se não foi você, entre, confira seus métodos de login e encerre as outras sessões.\n',
  additionText:
    'Olá, {name},\n\n{what}\n\nHora: {time}. Se foi você, não é preciso fazer nada. Se não, abra este link até {until}. Ele funciona junto com uma senha, uma carteira ou uma chave de acesso que sua conta já tinha. Ele remove tudo o que foi adicionado desde então, inclusive um segundo fator, e desconecta todos os dispositivos:\n\n{link}\n',
  accountRecovered:
    'Sua conta foi recuperada. Todos os dispositivos foram desconectados, e a senha e tudo o que foi adicionado recentemente foram removidos.',
  walletAdded: 'A carteira {address} foi adicionada à sua conta. Agora ela pode ser usada para entrar.',
  walletRemoved: 'A carteira {address} foi removida da sua conta.',
  walletRestored: 'A carteira {address} foi restaurada na sua conta.',
  passwordAdded: 'Uma senha foi adicionada à sua conta.',
  passwordChanged: 'A senha da sua conta foi alterada.',
  connectedApp:
    'Um aplicativo agora tem acesso à sua conta: {app}. Você pode encerrar o acesso na sua conta, em Aplicativos conectados.',
  passkeyAdded: 'Uma chave de acesso foi adicionada à sua conta.',
  accessTokenCreated: 'Um token de acesso chamado “{name}” foi criado para a sua conta.',
  passkeyRemoved: 'Uma chave de acesso foi removida da sua conta.',
  passkeyRestored: 'Uma chave de acesso foi restaurada na sua conta.',
  guestIdAdded: 'Um ID de convidado foi adicionado à sua conta. Agora ele pode ser usado para entrar.',
  guestIdRemoved: 'O ID de convidado foi removido da sua conta.',
  identityAdded: 'Agora você pode entrar na sua conta com {provider}.',
  identityRemoved: '{provider} foi removido dos métodos de login da sua conta.',
  mergedInto: 'A conta {from} foi mesclada à sua conta {into}. Você pode desfazer isso até {until}.',
  mergedAwayLink:
    'Se não foi você, abra este link para desfazer a mesclagem até {until}. Sua conta volta e você escolhe uma nova senha:\n\n{link}\n',
  mergedAway: 'Sua conta {from} foi mesclada à conta {into} e não existe mais. Você pode desfazer isso até {until}.',
  mergeUndone: 'Uma mesclagem da sua conta com outra foi desfeita.',
  recoveryCodesMade: 'Novos códigos de recuperação foram gerados. Os anteriores não funcionam mais.',
  recoveryCodeUsed: 'Um código de recuperação foi usado para entrar. Ele não pode ser usado de novo.',
  alertsOff: 'Os alertas de novos dispositivos foram desativados.',
  emailChangedSubject: 'Este e-mail foi removido da sua conta de {app}',
  emailChangedText:
    'Olá, {name},\n\nEste e-mail foi removido da sua conta ou trocado por outro em {time}.\n\nSe foi você, não é preciso fazer nada. Se não, recupere sua conta:\n\n{link}\n\nO link funciona até {until}. Ele restaura este endereço, desconecta todos os dispositivos e remove todos os métodos de login adicionados desde então.\n',
  emailChangedNotice:
    'Olá, {name},\n\nEste e-mail foi removido da sua conta ou trocado por outro em {time}.\n\nSe não foi você, entre, confira seus métodos de login e encerre as outras sessões.\n',
  emailRestored:
    'Este e-mail foi restaurado na sua conta. Todos os dispositivos foram desconectados, e a senha e todos os métodos de login adicionados após a troca do endereço foram removidos.',
  passwordReset:
    'Uma nova senha foi definida com um link enviado a você por e-mail. Seus códigos de recuperação anteriores não funcionam mais.',
  passwordResetAlone:
    'Uma nova senha foi definida com um link enviado a você por e-mail. Agora ela é o único método de login: as carteiras, as chaves de acesso e os códigos de recuperação foram removidos porque este endereço nunca foi verificado com a conta conectada.',
  deletionScheduled: 'Sua conta será excluída definitivamente em {time}. Até lá, você pode restaurá-la entrando nela.',
  accountRestored: 'Sua conta foi restaurada. Ela não será mais excluída.',
}
