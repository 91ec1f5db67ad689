import type { MailWords } from './en.ts'

export const words: MailWords = {
  reader: 'usuario',
  testSubject: 'Correo de prueba de {app}',
  testText: 'Este es un correo de prueba. {app} puede enviar correos.\n',
  verifySubject: 'Verifica tu correo electrónico para {app}',
  verifyText:
    'Hola, {name}:\n\nVerifica tu correo electrónico:\n\n{link}\n\nSi no lo has solicitado, puedes ignorar este correo.\n',
  resetSubject: 'Restablece tu contraseña de {app}',
  resetText:
    'Hola, {name}:\n\nUsa este enlace para elegir una contraseña nueva:\n\n{link}\n\nSi no lo has solicitado, puedes ignorar este correo. Tu contraseña no cambia.\n',
  resetTextAlone:
    'Hola, {name}:\n\nUsa este enlace para elegir una contraseña nueva:\n\n{link}\n\nEsta dirección nunca se verificó con la sesión de la cuenta iniciada. Por eso, la contraseña nueva será el único método de inicio de sesión: se eliminarán de la cuenta las wallets, las llaves de acceso y los códigos de recuperación.\n\nSi no lo has solicitado, puedes ignorar este correo. No cambiará nada.\n',
  resetTextGuarded:
    'Hola, {name}:\n\nUsa este enlace para elegir una contraseña nueva:\n\n{link}\n\nEsta dirección nunca se verificó con la sesión de la cuenta iniciada, y la cuenta está protegida. Para restablecer la contraseña necesitas su segundo factor. Sin él, puedes usar este enlace para crear una cuenta nueva con esta dirección.\n\nSi no lo has pedido, puedes ignorar este correo. No cambiará nada.\n',
  emailCodeSubject: 'Tu código de inicio de sesión para {app}',
  emailCodeText:
    'Hola, {name}:\n\nTu código de inicio de sesión para {app} es:\n\n{code}\n\nEs válido durante {minutes} minutos y funciona una sola vez, en el navegador donde lo pediste.\n',
  emailCodeLink: 'O abre este enlace en el mismo navegador:\n\n{link}\n',
  emailCodeAlone:
    'Esta dirección nunca se verificó con la sesión iniciada en la cuenta. Por eso, al iniciar sesión se eliminarán la contraseña, las wallets, las llaves de acceso y los códigos de recuperación de la cuenta, y se cerrará la sesión en todos los dispositivos.\n',
  emailCodeEnd:
    'No compartas este código con nadie. Nuestro equipo nunca te lo pedirá. Si no lo has pedido, puedes ignorar este correo.\n',
  emailCodeTookOver:
    'Tu cuenta se abrió con un código enviado a esta dirección. Se eliminaron la contraseña, las wallets, las llaves de acceso y los códigos de recuperación, y se cerró la sesión en todos los dispositivos, porque esta dirección nunca se había verificado con la sesión iniciada.',
  secondFactorOn: 'Se activó un segundo factor. Se pedirá al iniciar sesión.',
  secondFactorOff: 'Se desactivó el segundo factor.',
  secondFactorGuessed:
    'Alguien usó tu contraseña u otro método de inicio de sesión e introdujo muchos códigos incorrectos del segundo factor. Durante un día no se aceptan códigos; los códigos de recuperación y las llaves de acceso siguen funcionando.',
  newDeviceSubject: 'Nuevo dispositivo en tu cuenta de {app}',
  newDeviceText:
    'Hola, {name}:\n\nUn dispositivo nuevo ha iniciado sesión en tu cuenta.\n\nDispositivo: {device}\nDirección IP: {address}\nHora: {time}\n\nSi has sido tú, no tienes que hacer nada. Si no, protege tu cuenta:\n\n{link}\n',
  unknown: 'desconocido',
  changeSubject: 'Tu cuenta de {app} ha cambiado',
  changeText:
    'Hola, {name}:\n\n{what}\n\nHora: {time}. Si no has sido tú, inicia sesión, revisa tus métodos de inicio de sesión y cierra las demás sesiones.\n',
  additionText:
    'Hola, {name}:\n\n{what}\n\nHora: {time}. Si has sido tú, no tienes que hacer nada. Si no, abre este enlace hasta {until}. Funciona junto con una contraseña, una wallet o una llave de acceso que tu cuenta ya tenía. Elimina todo lo añadido desde entonces, incluido un segundo factor, y cierra la sesión en todos los dispositivos:\n\n{link}\n',
  accountRecovered:
    'Tu cuenta se ha recuperado. Se ha cerrado la sesión en todos los dispositivos y se han eliminado la contraseña y todo lo añadido recientemente.',
  walletAdded: 'Se ha añadido la wallet {address} a tu cuenta. Ya se puede usar para iniciar sesión.',
  walletRemoved: 'Se ha quitado la wallet {address} de tu cuenta.',
  walletRestored: 'Se ha recuperado la wallet {address} en tu cuenta.',
  passwordAdded: 'Se ha añadido una contraseña a tu cuenta.',
  passwordChanged: 'Se ha cambiado la contraseña de tu cuenta.',
  connectedApp:
    'Una aplicación tiene ahora acceso a tu cuenta: {app}. Puedes retirarle el acceso en tu cuenta, en Aplicaciones conectadas.',
  passkeyAdded: 'Se ha añadido una llave de acceso a tu cuenta.',
  accessTokenCreated: 'Se ha creado un token de acceso llamado «{name}» para tu cuenta.',
  passkeyRemoved: 'Se ha quitado una llave de acceso de tu cuenta.',
  passkeyRestored: 'Se ha recuperado una llave de acceso en tu cuenta.',
  guestIdAdded: 'Se ha añadido un ID de invitado a tu cuenta. Ahora se puede usar para iniciar sesión.',
  guestIdRemoved: 'Se ha quitado el ID de invitado de tu cuenta.',
  identityAdded: 'Ahora se puede iniciar sesión en tu cuenta con {provider}.',
  identityRemoved: 'Se ha quitado {provider} de los métodos de inicio de sesión de tu cuenta.',
  mergedInto: 'La cuenta {from} se ha fusionado con tu cuenta {into}. Puedes deshacerlo hasta {until}.',
  mergedAwayLink:
    'Si no has sido tú, abre este enlace para deshacer la fusión hasta {until}. Tu cuenta vuelve y eliges una contraseña nueva:\n\n{link}\n',
  mergedAway: 'Tu cuenta {from} se ha fusionado con la cuenta {into} y ya no existe. Puedes deshacerlo hasta {until}.',
  mergeUndone: 'Se ha deshecho la fusión de tu cuenta con otra.',
  recoveryCodesMade: 'Se han generado códigos de recuperación nuevos. Los anteriores ya no funcionan.',
  recoveryCodeUsed: 'Se ha usado un código de recuperación para iniciar sesión. No se puede volver a usar.',
  alertsOff: 'Se han desactivado los avisos de dispositivos nuevos.',
  emailChangedSubject: 'Este correo electrónico se ha quitado de tu cuenta de {app}',
  emailChangedText:
    'Hola, {name}:\n\nEste correo electrónico se ha quitado de tu cuenta o se ha cambiado por otro a las {time}.\n\nSi has sido tú, no tienes que hacer nada. Si no, recupera tu cuenta:\n\n{link}\n\nEl enlace funciona hasta {until}. Recupera esta dirección, cierra la sesión en todos los dispositivos y elimina todos los métodos de inicio de sesión añadidos desde entonces.\n',
  emailChangedNotice:
    'Hola, {name}:\n\nEste correo electrónico se ha quitado de tu cuenta o se ha cambiado por otro a las {time}.\n\nSi no has sido tú, inicia sesión, revisa tus métodos de inicio de sesión y cierra las demás sesiones.\n',
  emailRestored:
    'Este correo electrónico se ha recuperado en tu cuenta. Se ha cerrado la sesión en todos los dispositivos y se han eliminado la contraseña y todos los métodos de inicio de sesión añadidos tras el cambio de dirección.',
  passwordReset:
    'Se ha establecido una contraseña nueva con un enlace que te enviamos. Tus códigos de recuperación anteriores ya no funcionan.',
  passwordResetAlone:
    'Se ha establecido una contraseña nueva con un enlace que te enviamos. Ahora es el único método de inicio de sesión: se han eliminado las wallets, las llaves de acceso y los códigos de recuperación porque esta dirección nunca se verificó con la sesión de la cuenta iniciada.',
  deletionScheduled:
    'Tu cuenta se eliminará de forma permanente a las {time}. Hasta entonces puedes recuperarla iniciando sesión.',
  accountRestored: 'Tu cuenta se ha recuperado. Ya no se eliminará.',
}
