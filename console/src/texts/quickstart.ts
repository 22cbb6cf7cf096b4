// The texts of the screens below quickstart/.

export const quickstartTexts = {
  quickstart: "Quickstart",
  thisSubaccountIsLiveEverythingYou: " This subaccount is live: everything you create is real.",
  stepsDone: "Steps done",
  youAreSetUp: "You are set up",
  apiRequests: "API requests",
  webhooks: "Webhooks",
  documentation: "documentation",
  createApiKey: "Create API key",
  createAnotherApiKey: "Create another API key",
  createAnApiKey: "Create an API key",
  yourProgramSendsTheKeyAnd:
    "Your program sends the key and signs each request with its secret. The secret is shown once. Keep it in the environment, never in the code.",
  makeYourFirstSignedRequest: "Make your first signed request",
  itReadsTheSubaccountOfThe: "It reads the subaccount of the key and changes nothing.",
  createAReceiver: "Create a receiver",
  aReceiverIsAPersonYou:
    "A receiver is a person you pay. In the sandbox, the identity check is simulated.",
  receiveYourFirstWebhook: "Receive your first webhook",
  everyChangeOfAPayoutOr:
    "Every change of a payout or an identity check is sent to your endpoint, signed. Set the endpoint URL and try it with a test event.",
  done: ", done",
  notDoneYet: ", not done yet",
} as const;
