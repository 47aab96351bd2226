"""Messages in the middle of a conversation: those that lean on what was said before, and those that stand by themselves."""

LEANING = """
and what does it need?
What does it depend on?
how does that work
why?
why not?
how so?
and the parts?
what are its main components
who uses them?
Any alternatives?
what about the cost?
tell me more
can you give me an example?
examples?
ok, and the drawbacks?
is it safe
so is it better than the old way?
Which one is cheaper?
which is faster?
what's the difference between the two?
Are they related?
How are those made?
can you explain that again
What else does it enable?
what came before it?
does it have a standard?
who invented this?
and when was it invented?
Where is it used in practice?
what kind of hardware do these need
how long do they last?
is there a cheaper one?
Why would anyone use that?
What's the other one for?
and the second?
what does the latter require
Does the former scale?
do both need a licence?
is either of them open source?
neither works for me, what else is there?
Could such a system be hacked?
how many of them are there
what's it part of?
which category is that in?
what are the alternatives
what are the risks?
and its parent class?
go on
continue please
more details please
could you elaborate?
compare them
compare it with Paxos
is it the same as a stablecoin?
how is it different from Raft?
and how does it differ from a kiln?
does Paxos do the same?
what do I need to run one at home?
how much does one cost?
can I build one myself?
What happens when it fails?
how do I protect myself against it?
Is that why banks like them?
so what is it good for?
but isn't that slow?
Then what holds it together?
also, who maintains it?
thanks! what does it use?
Great, and what does that enable?
hmm ok. does it need internet?
Interesting. Who came up with the idea?
by the way, what does it cost?
what would replace it?
what makes them secure?
what about in games?
is there any regulation for this?
How do people attack them?
whats that used for
Which companies sell these?
Which of those is oldest?
show me the relations of that
list its parts
give me the requirements
What's the point?
and the benefits?
pros and cons?
what sort of data does it store
what can they be combined with?
who is in charge of it?
When should I not use it?
what is needed for that?
does that need special hardware
How does it relate to the blockchain?
Can you say what the first one depends on?
what does the older version need?
Who regulates them in Europe?
What about its history?
Is there an open standard for it?
does this approach scale?
how does this compare to others?
which parts of it are mandatory
yes please
and then?
what next?
ok so what would I need to set it up?
does that mean nobody can reverse them?
what are those for
And what's above it in the hierarchy?
Is it older than the web?
what does this have to do with privacy?
can they be copied?
how big does it get
where does its name come from?
and its successor?
what's wrong with it?
is there a simpler one?
could you put that more simply?
explain it like I'm five
what are its dependencies
Which standards cover this?
who are its main users?
does it work without electricity?
what must exist before it can work?
what does it give you that the older one doesn't?
how do these two differ?
so why do people still use the first?
and what about the second one?
are there others like it?
when would you choose one over the other?
how is that enforced
what if it breaks?
what about when they disagree?
Right. And is it reversible?
Thanks, very clear. What are the limits?
I see - and which tools support it?
hm, why is that?
what would happen without it?
does anybody actually use these?
how come?
is that all?
how do you make one
what's inside them
name three examples
can you list the alternatives?
what is it a kind of?
what is it made from
is it related to Ethereum?
so it's basically a database?
is that a kind of machine learning?
how does the cheaper option work?
could you compare the two for me
then how do nodes agree on it?
but who pays for that?
and how is the key stored in it?
what role does it play in robotics?
what's the relationship between them
what are the prerequisites for using it
how well does it scale
tell me about its history
which one would you recommend?
does the same apply to stablecoins?
what problems does this solve
how can I learn more about it?
who else does that?
Are those safe for children?
does it have any drawbacks
what is the purpose of these
how many kinds are there?
what are the steps?
which companies are behind it?
So is it a currency or a commodity?
What do its critics say?
faster than Paxos?
How does a user get one?
is there a way around that?
What happens to them after a fork?
can a small company afford it?
What rules apply there?
is this legal in Germany?
so does that need a lot of power?
And what sits above it in the taxonomy?
what would I use it with?
which protocols is it built on?
okay, but what stops someone from faking one?
how would a bank make use of this?
what's required for it to run on a phone?
who gets paid when that happens?
does anyone still use it?
cool. what is it a subclass of?
and on the privacy side, what does it guarantee?
is the second one any good for images?
where do the fees go in that case?
what does this technique let you do?
what other things depend on it?
how do they talk to each other?
can both run on the same machine?
give me the main differences between them
Why did people stop using the first version?
I don't get it, can you explain the second part?
so, which would suit a small team?
what's the catch?
and the downside?
and for beginners?
does it come with any guarantees?
what do these systems have in common
what is its relation to blockchains
which one came first
was it always like that?
what came after?
And how long does setting one up take?
what kind of data goes into them?
what are some real examples
list everything it enables
Does that replace the need for a password?
But doesn't it leak my location?
How is its accuracy measured?
what do those depend on
what else do I need?
how does that compare with the newer kind?
what if two of them disagree?
Do I have to trust whoever runs it?
how accurate are they
what's that made of
Name a few of its uses.
what goes wrong most often?
and who writes the rules for it?
And is that enough?
explain the last bit again
does the older approach have any advantages left?
What would a hospital do with one?
Does anybody supply them in Ireland?
So how does the leader get picked in it?
and its limitations?
which layer does this run on?
What does such a device weigh?
Could it be done without the cloud?
Which of the two handles failure better?
how would you test that
Why not just use a database instead?
what do you lose by doing it this way
how are they any different from ordinary tokens?
and if the network goes down?
Is there a European law that covers this?
what's its maturity
what domain does that fall under?
what does it contrast with?
Then why is it called that?
and what enables it?
please list what that depends on
does the sensor sit on the head or the hand in these?
any risks?
more examples please
what's new in the latest version?
okay and who audits them?
how does the latter store its data?
which is older?
what makes the former slower
do they cost a lot
is this the same thing as edge computing?
and compared with Solana?
Do I need both?
would either work offline?
What part does the user play in it?
what is it that they have in common?
does that also hold for private chains?
What sits on top of that?
who's behind it
how is one made?
can you go deeper on the second point
""".strip().splitlines()

STANDING = """
What is a kiln?
How does Raft elect a leader?
What does proof of stake require?
Is proof of work wasteful and why does it use so much power?
What is a hash function and where is it used?
How do kilns keep their heat?
Explain how a vector database stores its index.
How do I bake sourdough and keep it fresh?
Is it true that bitcoin uses more power than Norway?
Is it possible to mine bitcoin on a phone?
is it raining in Leeds today?
What time is it in Tokyo?
How long does it take to boil an egg?
What is it called when two chains split?
How much does it cost to build a house?
When it comes to cheese, what is the best one for melting?
Does it make sense to lease a car?
Is it worth buying an electric bike?
What do you call it when a model invents facts?
It is cold outside, what should I wear?
Is there a bridge between Ethereum and Solana?
Are there any good museums in Turin?
there is a leak in my kitchen sink, how do I fix it?
One of the wheels on my bike is bent, can I repair it?
What is the best one-pot pasta recipe?
How does one train a neural network?
Who was the first person on the moon?
What are the first three books of the Bible?
What is the fact that surprised Einstein most?
I need something that turns speech into text
A technology that lets you compute on encrypted data
Which algorithm is faster, quicksort or mergesort?
Is quicksort better than mergesort?
what's the weather like this week?
What happened in London this morning?
what films are coming out this year?
How do I convert a PDF into a Word document?
What software do I need to edit videos?
My laptop is slow. How can I speed it up?
My cat keeps scratching the sofa, how do I stop her?
If a validator goes offline, what happens to its stake?
When a transaction is reverted, who pays for it?
My friend says that crypto is a scam. Is he right?
Both Raft and Paxos need a majority, right?
Do both Raft and Paxos need a majority?
Is either Raft or Paxos easier to implement?
What is the same origin policy?
Translate this sentence into French: the kiln is hot
Fix the typos in this: teh kiln is hto
Summarise this text: "Kilns are ovens for clay."
Write a poem about the sea
Thanks for your help!
thanks
ok
great, thank you
hello
hi there!
how are you?
who are you?
what can you do?
good morning
are you sure?
never mind
What is risk?
define alternative
What is a component?
What does WebRTC stand for?
how do I get red wine out of a carpet without ruining it?
And how do I get red wine stains out of a white cotton shirt?
What does a game engine contain?
Who provides liquidity to automated market makers?
Compare Raft and Paxos
Describe the relation between kilns and furnaces
What is the difference between a kiln and an oven?
what are the drawbacks of liquid staking?
give me an example of a smart contract
Any alternatives to Kubernetes?
tell me more about quantum computing
who invented the telephone?
why is the sky blue?
how far is the moon?
Where can I buy a bike?
What does a kiln need to reach its temperature?
How can companies protect their data?
Does an NFT give you rights to the picture it shows?
What is GDPR and who does it apply to?
how do passkeys work and are they safer than passwords?
A DAO votes on proposals. Who carries them out?
In a neural network, what do the weights mean and how are they learned?
Forget gates: what do they do in an LSTM?
Can I use Python instead of R for statistics?
What is the such that symbol in maths?
Someone stole my bike, what should they be charged with?
ok forget that. what is SPARQL?
Switching topic: what does it take to become a pilot?
Never mind. What is a NeRF?
New question: how do tides work?
Leaving DAOs aside, what is spatial audio?
Something else: who won the 1966 world cup?
Let's change the subject. How does a heat pump work?
Unrelated, but what is the capital of Peru?
Can we talk about something different? I want to learn about soil.
By the way, what is a good name for a goldfish?
Moving on, what is edge computing?
Please list the parents of Artificial Intelligence
which concepts does Federated Learning use?
What does the term oracle problem mean?
Is there anyone who knows where the Titanic sank?
how many people live in Oslo and what do they eat?
That said, Paris is a nice city: which museums are free?
such as dogs and cats, what pets are good for children?
Why do cats purr when they sleep?
If I boil pasta too long, does it lose nutrients?
Where do eels go to breed?
The teacher who marked my essay was unfair. Can I appeal?
Is the earth round?
what makes a good leader
what kind of dog is best for a flat
What does federated learning depend on?
how do wallets keep their keys safe?
What is the parent class of robotics?
Which sensors does an exoskeleton use to track its wearer?
How does a DAO decide what it spends money on?
Name the components of a transformer and say what they do.
Does proof of stake have the same weaknesses as proof of work?
I own a flat. How do I rent it out?
what is the quickest way to learn to swim
It takes me ages to fall asleep, any tips?
Is it ok to feed bread to ducks?
Is it legal to fly a drone over a beach in Spain?
it is well known that coffee keeps you awake, but why?
Does it matter whether I use butter or margarine in shortbread?
How is it that ships made of steel float?
what's it like to live in Iceland
Who was the first to reach the south pole?
How many people does it take to sail a tall ship?
What's the one thing every cook should own?
Is one of these two numbers prime: 91, 97?
Which of the following is a mammal: shark, dolphin, trout?
My phone's battery dies fast. What can I do about that?
Should I buy a house or rent one?
What does 'ceteris paribus' mean?
What are the other names for polyester?
Tell me a joke
Write a haiku about autumn
what day is it today
how old is the universe
Can dogs eat grapes, and if they do, what should I do?
When water freezes it expands. Why?
Give me a recipe for apple pie that uses no eggs
the best way to cut an onion
I have a headache
translate good morning into Dutch
who won the world cup in 2010?
what is quantum entanglement, in simple words?
Why is Raft called that?
What is Kubernetes and what problems does it solve?
how does SPARQL differ from SQL
Is Solana faster than Ethereum?
Which is bigger, the sun or the moon?
Please explain the metaverse and its main building blocks.
Are NFTs art, or are they just receipts?
What happens to a star when it dies?
If my train is late, can I claim the money back for it?
How do bees know where their hive is?
Do plants sleep at night like people do?
The heating in my flat makes noise at night. Is this normal?
Python raises KeyError when I read a dictionary, how do I avoid that?
What's the difference between these two words: affect and effect?
how do I tell my boss that I quit
is there such a thing as a free lunch
what causes the seasons
cheap flights to Lisbon this weekend
bye!
cheers, that's everything
lol
you're wrong
that's great, thanks!
what's your name?
can you help me?
how's it going?
do you speak Spanish?
new topic. which metals rust?
Ok, different question: how do I prune a rose bush?
Forget about that. Tell me about holography.
Forget the headset, how does GDPR treat cookies?
Let's move on. What is a smart contract?
Scratch that, what is a rollup?
let's leave it there. who composed Carmen?
Setting that to one side, how do I boil rice?
I'd rather talk about something else now. How do volcanoes form?
Enough about blockchains. What's on at the cinema?
Changing the subject completely: can penguins fly?
On an unrelated note, what does a notary do?
No more of that please, what is WebAssembly?
Cheers. Completely different thing: how do I descale a kettle?
Right, next topic: spatial computing. What does it include?
Not related to this, but what is a tax bracket?
Actually, scrap that. Where is Timbuktu?
Anyway, what is a knowledge graph?
OK thanks. How do I renew a passport?
Great answer! Now, what is the boiling point of ethanol?
Hi again, what's a merkle tree?
so how do I bake sourdough?
And how do I change a tyre?
but what is machine learning?
Also, when is the next leap year?
and where is Mount Etna?
What is it that makes chocolate so addictive?
Is there anything that cures hiccups?
Those who live in glass houses should not throw stones: meaning?
How do they make cheese in Switzerland?
why do we yawn
what's the tallest building in the world and who built it
Which protocols is WebRTC built on?
How does a headset know where my eyes are looking?
What would a bank use a private blockchain for?
who decides what counts as an artwork
how do I know if my router supports IPv6?
Is there something like Duolingo for maths?
I was told that my site needs a certificate. Where do I get one?
Tell me what an oracle is and why smart contracts need one.
does a digital twin need sensors in order to mirror the machine it stands for?
What does the EU AI Act say about biometric systems?
which part of a transformer attends to earlier tokens?
Could a quantum computer break RSA, and if it could, what would replace it?
How do avatars copy the faces of their owners?
explain reinforcement learning to a ten-year-old
what's good about rust compared with C++
how do I make friends in a new city
my daughter has a fever, should I give her paracetamol?
The bread I baked was too dense. What did I do wrong?
Which wine goes with lamb?
can a landlord keep a deposit without saying why
What happened to the dinosaurs?
Who wrote Middlemarch and what is it about?
is it normal for a baby to sneeze a lot?
How many calories are there in an avocado?
Is it better to run in the morning or in the evening?
What's a polite way to say no to a wedding invitation?
how much is 17 times 23
Do you know whether the shop on the corner is open?
What is the capital of Australia, and is it bigger than Sydney?
I'd like to know more about decentralised identity
What is the name of the thing that holds a candle?
draw me a cat
Please rewrite: I goes to school by bus.
Could you recommend a book about the Romans?
is a hot dog a sandwich
what is the difference between HTTP and HTTPS
why does bitcoin mining use so much electricity?
What are the parts of a diffusion model?
What does a DAO need before it can hold money?
when did people first use fire?
Thanks a lot, bye
ok thank you
perfect, that's what I needed
haha
no
good job
see you later
how was your day?
Different subject: what is a heat dome?
Let's drop that. What are soulbound tokens?
Ignore my last question. What is a digital twin?
Forget everything I asked. How do magnets work?
OK, moving away from crypto: how are bridges built?
Now something unrelated: when do swallows fly south?
To change the subject, what is spatial audio?
Putting that aside for now, who painted Guernica?
Okay new question - how does GPS work?
I want to ask something different: how is cheese made?
That's it for DAOs. What is an exoskeleton?
no wait, forget it. what's a kiln?
what would a hospital do with a digital twin?
does anybody supply exoskeletons in Ireland?
how does the leader get picked in Raft?
what are the limitations of federated learning?
which layer do rollups run on?
What is the maturity of WebGPU?
Which domain does haptics fall under?
What does centralised exchange contrast with?
Why is the blockchain trilemma called a trilemma?
what enables telepresence?
list what differential privacy depends on
is fog computing the same thing as edge computing?
how does Solana compare with Ethereum?
my bike chain slips when I pedal hard, what's causing that?
what should I cook for someone who doesn't eat meat?
If it rains tomorrow, where should we go with the kids?
How do you fold a fitted sheet so it stays flat?
I've got two offers. How do I choose between them?
When my son was born he cried a lot. Is that common?
do cats know their own names
why do onions make you cry and how can you prevent it?
what's it called when you can't smell
Who painted the Mona Lisa and where does it hang?
is a tomato a fruit or is it a vegetable?
The car won't start. Could it be the battery?
I planted tulips in May; will they flower this year?
does anyone know a good dentist in Bath?
which planet is closest to the sun?
What's the best time of year to visit Japan?
how can I tell if an egg is off
what are some easy dinners for one
is it rude to cancel on the day?
There's a spider in my bath. How do I get it out?
how many is a dozen
what rhymes with orange
Anything good on TV tonight?
Which is healthier, butter or margarine?
how old do you have to be to drive a van
Good evening. Could you tell me what a zero-knowledge proof is?
Ok! What's a smart contract?
Sorry, wrong window. How do I cook quinoa?
Right, enough of that. How do I tie a bow tie?
That's all I needed on NFTs. What's the Turing test?
Let me ask you something else. What is ambient computing?
Not about Raft this time: how do vaccines work?
Totally different question - what is a sonnet?
Skip it. What is a wallet?
Ignore the previous question, how do whales sleep?
Parking that for a moment, what is a hologram?
Back to something simpler: what is a computer?
New subject! What causes thunder?
One last thing, unrelated: how do I clean suede?
moving swiftly on, what is swarm robotics?
Let's leave DAOs. What is a volumetric display?
""".strip().splitlines()

LEANING_ELSEWHERE = """
und was braucht es?
Wie funktioniert das?
Warum?
Und die Nachteile?
Welche davon ist älter?
Wer hat sie erfunden?
Was ist mit den Kosten?
Gibt es Alternativen?
Wofür werden diese verwendet?
et pourquoi ?
Comment ça marche ?
À quoi sert-il ?
Quels sont ses avantages ?
Et les risques ?
De quoi dépend-elle ?
Qui les utilise et pourquoi celui-ci ?
¿Y qué necesita?
¿Cómo funciona eso?
¿Por qué?
¿Cuáles son sus partes?
¿Hay alternativas?
¿Quién lo inventó?
e di cosa ha bisogno?
Come funziona questo?
Quali sono i suoi vantaggi?
perché?
Ci sono alternative?
en wat is daarvoor nodig?
Hoe werkt dat?
Waarom?
Wat zijn de nadelen?
Wie heeft hem uitgevonden?
e do que ele precisa?
Como isso funciona?
Quais são as suas partes?
Por quê?
""".strip().splitlines()
"""The same in German, French, Spanish, Italian, Dutch and Portuguese."""

STANDING_ELSEWHERE = """
Was ist ein Brennofen?
Wie funktioniert das Internet?
Was braucht ein Brennofen, damit er heiß wird?
Gibt es ein Rezept für Kartoffelsuppe?
Können Sie mir Quantencomputer erklären?
Themenwechsel: Was ist SPARQL?
Vergiss das. Wie backe ich Brot?
Qu'est-ce que la chaîne de blocs ?
Comment faire une soupe aux poireaux ?
Est-ce que Bitcoin consomme beaucoup d'énergie ?
Il y a combien de planètes ?
Changeons de sujet. Comment fonctionne la photosynthèse ?
¿Qué es una cadena de bloques?
¿Cómo funciona la fotosíntesis?
¿Qué tiempo hace en Madrid esta semana?
Cambiando de tema, ¿qué es un huerto?
Che cos'è una blockchain?
Come si prepara la carbonara?
Cambiando argomento, cos'è un motore grafico?
Wat is een blockchain?
Hoe werkt fotosynthese?
Iets anders: hoe bak ik brood?
O que é uma cadeia de blocos?
Como funciona a fotossíntese?
Mudando de assunto, o que é um motor gráfico?
""".strip().splitlines()
