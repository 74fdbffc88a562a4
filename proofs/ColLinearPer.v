(** * col:linear_per: FedIGW with partially shared linear rewards

    Agent m has features and a parameter of da + own m coordinates, the first da of the parameters shared, the others its own
    (own m = 0 is allowed, agents may have different numbers).  Ridge regression on the lifted problem: d~ = da + sum_m own m
    coordinates, where agent m's features are 0 in the personal blocks of the others.  The parameters, put together, have a squared
    norm of at most M, so LinearDifferentLaws.v applies with

        A = d~/4 + (9/4) M,     e_l = A / n_l.

    Main results, T >= 3, doubling, K arms: [col_linear_per_repaired], [_sharpened], [_best], [_best_two_arms], by the direct method
    and, with [_agd], by accelerated gradient descent on the lifted vectors: the bounds of col:linear with this A, as a sum over epochs and closed.
    Main definitions: [lifted_dimension], [lift], [put_together].                                                                     *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting AcceleratedGradient RidgeExcessRisk Constants BestParameters
  Protocol DoublingSchedule DoublingRegret DoublingAnyRisk Exchangeability RidgeSamples RidgeProtocol RidgeDifferentLaws LinearRegret
  LinearDifferentLaws.
Open Scope R_scope.

Lemma sum_join a b f : sum (a + b) f = sum a f + sum b (fun i => f (a + i)%nat).
Proof. induction b as [|b IH]; [rewrite Nat.add_0_r; simpl; lra|]. rewrite Nat.add_succ_r. cbn [sum]. rewrite IH. lra. Qed.
Lemma sum_only M m (v : R) : (m < M)%nat -> sum M (fun i => if Nat.eqb i m then v else 0) = v.
Proof.
  induction M as [|M IH]; intro H; [lia|]. cbn [sum]. destruct (Nat.eqb_spec M m) as [->|Hn].
  - rewrite (sum_ext m _ (fun _ => 0)); [rewrite sum_zero; lra|]. intros i Hi. destruct (Nat.eqb_spec i m); [lia|reflexivity].
  - rewrite IH by lia. lra.
Qed.

(** ** The lifted space *)
Section Lift.
  Variables (da : nat) (own : nat -> nat).
  (** personal coordinates of the agents before m; whose coordinate i is, and which of its own *)
  Fixpoint before (m : nat) : nat := match m with O => O | S m' => (before m' + own m')%nat end.
  Fixpoint locate (M i : nat) : nat * nat :=
    match M with O => (O, i) | S m => if Nat.ltb i (before m) then locate m i else (m, (i - before m)%nat) end.
  Variable M : nat.
  (** d~ *)
  Definition lifted_dimension : nat := (da + before M)%nat.
  (** a vector of agent m in the lifted space: shared coordinates, then its own block *)
  Definition lift (m : nat) (v : vector) : vector := fun i =>
    if Nat.ltb i da then v i
    else if Nat.eqb (fst (locate M (i - da))) m then v (da + snd (locate M (i - da)))%nat else 0.
  (** the common parameter: the shared block, then all personal blocks *)
  Definition put_together (w : nat -> vector) : vector := fun i =>
    if Nat.ltb i da then w O i else w (fst (locate M (i - da))) (da + snd (locate M (i - da)))%nat.

  Lemma before_mono m k : (m <= k)%nat -> (before m <= before k)%nat.
  Proof. induction k as [|k IH]; intro H; [replace m with O by lia; lia|]. destruct (Nat.eq_dec m (S k)) as [->|]; [lia|]. simpl. specialize (IH ltac:(lia)). lia. Qed.
  Lemma locate_block k m j : (m < k)%nat -> (j < own m)%nat -> locate k (before m + j) = (m, j).
  Proof.
    induction k as [|k IH]; intros Hm Hj; [lia|]. cbn [locate]. destruct (Nat.eq_dec m k) as [->|Hn].
    - destruct (Nat.ltb_spec (before k + j) (before k)); [lia|]. f_equal. lia.
    - pose proof (before_mono (S m) k ltac:(lia)) as Hb. cbn [before] in Hb.
      destruct (Nat.ltb_spec (before m + j) (before k)); [apply IH; lia|lia].
  Qed.
  Lemma block m j : (m < M)%nat -> (j < own m)%nat -> locate M (da + (before m + j) - da) = (m, j).
  Proof. intros Hm Hj. replace (da + (before m + j) - da)%nat with (before m + j)%nat by lia. apply locate_block; assumption. Qed.
  Lemma not_shared i : (da + i <? da)%nat = false.
  Proof. apply Nat.ltb_ge. lia. Qed.
  Lemma sum_blocks k f : sum (before k) f = sum k (fun m => sum (own m) (fun j => f (before m + j)%nat)).
  Proof. induction k as [|k IH]; [reflexivity|]. cbn [before sum]. rewrite sum_join, IH. reflexivity. Qed.
  Lemma lifted_sum m (F G : nat -> R) : (m < M)%nat ->
    (forall i, (i < da)%nat -> G i = F i) ->
    (forall m' j, (m' < M)%nat -> (j < own m')%nat -> G (da + (before m' + j))%nat = if Nat.eqb m' m then F (da + j)%nat else 0) ->
    sum lifted_dimension G = sum (da + own m) F.
  Proof.
    intros Hm H1 H2. unfold lifted_dimension. rewrite !sum_join, sum_blocks. f_equal; [apply sum_ext; exact H1|].
    rewrite (sum_ext M _ (fun m' => if Nat.eqb m' m then sum (own m) (fun j => F (da + j)%nat) else 0)).
    - apply sum_only, Hm.
    - intros m' Hm'. rewrite (sum_ext (own m') _ (fun j => if Nat.eqb m' m then F (da + j)%nat else 0)) by (intros j Hj; apply H2; assumption).
      destruct (Nat.eqb_spec m' m) as [->|_]; [reflexivity|apply sum_zero].
  Qed.
  Lemma lift_dot m v w : (m < M)%nat -> (forall m' i, (i < da)%nat -> w m' i = w O i) ->
    dot lifted_dimension (lift m v) (put_together w) = dot (da + own m) v (w m).
  Proof.
    intros Hm Hs. unfold dot. apply (lifted_sum m); [exact Hm| |].
    - intros i Hi. unfold lift, put_together. apply Nat.ltb_lt in Hi as Hb. rewrite Hb, (Hs m i Hi). reflexivity.
    - intros m' j Hm' Hj. unfold lift, put_together. rewrite not_shared, (block m' j Hm' Hj). cbn [fst snd].
      destruct (Nat.eqb_spec m' m) as [->|_]; [reflexivity|ring].
  Qed.
  Lemma lift_norm m v : (m < M)%nat -> square_norm lifted_dimension (lift m v) = square_norm (da + own m) v.
  Proof.
    intro Hm. unfold square_norm. apply (lifted_sum m); [exact Hm| |].
    - intros i Hi. unfold lift. apply Nat.ltb_lt in Hi. rewrite Hi. reflexivity.
    - intros m' j Hm' Hj. unfold lift. rewrite not_shared, (block m' j Hm' Hj). cbn [fst snd].
      destruct (Nat.eqb_spec m' m) as [->|_]; [reflexivity|ring].
  Qed.
  Lemma together_norm w : (1 <= M)%nat -> (forall m i, (i < da)%nat -> w m i = w O i) ->
    (forall m, square_norm (da + own m) (w m) <= 1) -> square_norm lifted_dimension (put_together w) <= INR M.
  Proof.
    intros HM Hs Hw. unfold square_norm, lifted_dimension. rewrite sum_join, sum_blocks.
    set (s := sum da (fun i => w O i ^ 2)).
    rewrite (sum_ext da (fun i => put_together w i ^ 2) (fun i => w O i ^ 2))
      by (intros i Hi; unfold put_together; apply Nat.ltb_lt in Hi; rewrite Hi; reflexivity).
    fold s.
    assert (Hs0 : 0 <= s) by (unfold s; apply sum_nonneg; intros i _; nra).
    assert (B : sum M (fun m => sum (own m) (fun j => put_together w (da + (before m + j))%nat ^ 2)) <= sum M (fun _ => 1 - s)).
    { apply sum_le. intros m Hm. specialize (Hw m). unfold square_norm in Hw. rewrite sum_join in Hw.
      rewrite (sum_ext da (fun i => w m i ^ 2) (fun i => w O i ^ 2)) in Hw by (intros i Hi; rewrite (Hs m i Hi); reflexivity).
      fold s in Hw.
      rewrite (sum_ext (own m) _ (fun j => w m (da + j)%nat ^ 2)); [lra|].
      intros j Hj. unfold put_together. rewrite not_shared, (block m j Hm Hj). reflexivity. }
    rewrite sum_const in B. assert (1 <= INR M) by (replace 1 with (INR 1) by reflexivity; apply le_INR, HM). nra.
  Qed.
End Lift.

(** ** The regret *)
Section Personalised.
  Variables (M k da T : nat) (own X : nat -> nat) (D : nat -> nat -> R) (reward_law : nat -> nat -> nat -> list (R * R)).
  Variables (phi : nat -> nat -> nat -> vector) (w : nat -> vector).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis Hk : (1 <= k)%nat.
  Hypothesis Hdim : (1 <= lifted_dimension da own M)%nat.
  Hypothesis HT : (3 <= T)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  Hypothesis HR01 : forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a).
  Hypothesis Hlocal : forall m x a, Expect (reward_law m x a) (fun r => r) = dot (da + own m) (phi m x a) (w m).
  Hypothesis Hshared : forall m i, (i < da)%nat -> w m i = w O i.
  Hypothesis Hphi : forall m x a, square_norm (da + own m) (phi m x a) <= 1.
  Hypothesis Hw : forall m, square_norm (da + own m) (w m) <= 1.
  (** numbers m >= M name nobody: they repeat agent 0 *)
  Definition agent_of (m : nat) : nat := if Nat.ltb m M then m else O.
  Lemma agent_of_below m : (agent_of m < M)%nat.
  Proof. unfold agent_of. destruct (Nat.ltb_spec m M); lia. Qed.
  Definition lifted_features (m x a : nat) : vector := lift da own M (agent_of m) (phi (agent_of m) x a).
  Definition agents_rewards (m : nat) := reward_law (agent_of m).
  (** A = d~/4 + (9/4) M *)
  Local Notation personal_constant := (different_constant (INR (lifted_dimension da own M)) (INR M)).
  (** Reg(T) with the exact minimiser of the lifted ridge problem, and with AGD on it; gamma^{l+1} = g sqrt(K / e_l), e_l = risk / n_l *)
  Definition personal_Reg_T (weights : nat -> list (place * R) -> vector) (risk g : R) : R :=
    different_Reg_T M k X D agents_rewards T (lifted_dimension da own M) lifted_features weights risk g.
  Definition personal_direct : nat -> list (place * R) -> vector := different_direct M T (lifted_dimension da own M) lifted_features.
  Definition personal_agd (rounds : nat -> nat) : nat -> list (place * R) -> vector :=
    different_agd M T (lifted_dimension da own M) lifted_features rounds.
  Let wstar := put_together da own M w.
  Lemma lifted_linear m x a : Expect (agents_rewards m x a) (fun r => r) = dot (lifted_dimension da own M) (lifted_features m x a) wstar.
  Proof. unfold agents_rewards, lifted_features, wstar. rewrite Hlocal. symmetry. apply lift_dot; [apply agent_of_below|exact Hshared]. Qed.
  Lemma lifted_norm m x a : square_norm (lifted_dimension da own M) (lifted_features m x a) <= 1.
  Proof. unfold lifted_features. rewrite lift_norm; [apply Hphi|apply agent_of_below]. Qed.
  Lemma lifted_star : square_norm (lifted_dimension da own M) wstar <= INR M.
  Proof. apply together_norm; assumption. Qed.

  (** col:linear_per, repaired, direct method:  2M + 11 (2 + sqrt 2) sqrt(M K T (d~/4 + (9/4) M)). *)
  Theorem col_linear_per_repaired :
    personal_Reg_T personal_direct personal_constant 1 <=
      uncapped_sum 11 M k T (different_risk M T personal_constant) <=
      linear_repaired_bound (INR M) (INR k) (INR T) personal_constant.
  Proof.
    apply (col_linear_different_repaired M k X D agents_rewards T (lifted_dimension da own M) lifted_features wstar (INR M) HM Hk HD0 HD1
      (fun m => HR (agent_of m)) (fun m => HR01 (agent_of m)) lifted_linear lifted_norm lifted_star Hdim HT).
  Qed.
  (** col:linear_per, sharpened, direct method, g^2 = (3q + 1)/8. *)
  Theorem col_linear_per_sharpened : let q := 1 - / INR k in
    personal_Reg_T personal_direct personal_constant (sqrt ((3 * q + 1) / 8)) <=
      capped_sum (linear_sharpened_constant q) M k T (different_risk M T personal_constant) <=
      linear_bound (linear_sharpened_constant q) (INR M) (INR k) (INR T) personal_constant.
  Proof.
    apply (col_linear_different_sharpened M k X D agents_rewards T (lifted_dimension da own M) lifted_features wstar (INR M) HM Hk HD0 HD1
      (fun m => HR (agent_of m)) (fun m => HR01 (agent_of m)) lifted_linear lifted_norm lifted_star Hdim HT).
  Qed.
  (** col:linear_per, best, direct method, K >= 3: the constant is at most 3.6981. *)
  Theorem col_linear_per_best : (3 <= k)%nat ->
    personal_Reg_T personal_direct personal_constant (sqrt (Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms) / doubling_risk)) <=
      capped_sum (doubling_over_g (INR k)) M k T (different_risk M T personal_constant) <=
      linear_bound (doubling_over_g (INR k)) (INR M) (INR k) (INR T) personal_constant.
  Proof.
    apply (col_linear_different_best M k X D agents_rewards T (lifted_dimension da own M) lifted_features wstar (INR M) HM Hk HD0 HD1
      (fun m => HR (agent_of m)) (fun m => HR01 (agent_of m)) lifted_linear lifted_norm lifted_star Hdim HT).
  Qed.
  (** col:linear_per, best, direct method, two arms:  3 / sqrt 2. *)
  Theorem col_linear_per_best_two_arms : k = 2%nat ->
    personal_Reg_T personal_direct personal_constant (sqrt (2 / 9)) <=
      capped_sum (3 / sqrt 2) M k T (different_risk M T personal_constant) <=
      linear_bound (3 / sqrt 2) (INR M) (INR k) (INR T) personal_constant.
  Proof.
    apply (col_linear_different_best_two_arms M k X D agents_rewards T (lifted_dimension da own M) lifted_features wstar (INR M) HM Hk HD0 HD1
      (fun m => HR (agent_of m)) (fun m => HR01 (agent_of m)) lifted_linear lifted_norm lifted_star Hdim HT).
  Qed.

  (** ** Accelerated gradient descent *)
  Variables (delta : R) (rounds : nat -> nat).
  Hypothesis Hdelta : 0 < delta.
  (** (5/4) n exp(-k_l / sqrt(n + 1)) <= delta^2 A / n, n = M E^l *)
  Hypothesis enough_rounds : forall l, (1 <= l)%nat -> (S l <= epochs_until T)%nat ->
    let n := pooled_count (doubling T) l M in
    agd_start_constant * INR n * exp (- (INR (rounds l) / sqrt (INR n + 1))) <= delta ^ 2 * (personal_constant / INR n).
  (** col:linear_per, repaired, AGD:  the same with the factor 1 + delta. *)
  Theorem col_linear_per_repaired_agd :
    personal_Reg_T (personal_agd rounds) ((1 + delta) ^ 2 * personal_constant) 1 <=
      uncapped_sum 11 M k T (different_risk M T ((1 + delta) ^ 2 * personal_constant)) <=
      linear_repaired_bound (INR M) (INR k) (INR T) ((1 + delta) ^ 2 * personal_constant).
  Proof.
    apply (col_linear_different_repaired_agd M k X D agents_rewards T (lifted_dimension da own M) lifted_features wstar (INR M) HM Hk HD0 HD1
      (fun m => HR (agent_of m)) (fun m => HR01 (agent_of m)) lifted_linear lifted_norm lifted_star Hdim HT delta rounds Hdelta enough_rounds).
  Qed.
  (** col:linear_per, sharpened, AGD:  the same with the factor 1 + delta. *)
  Theorem col_linear_per_sharpened_agd : let q := 1 - / INR k in
    personal_Reg_T (personal_agd rounds) ((1 + delta) ^ 2 * personal_constant) (sqrt ((3 * q + 1) / 8)) <=
      capped_sum (linear_sharpened_constant q) M k T (different_risk M T ((1 + delta) ^ 2 * personal_constant)) <=
      linear_bound (linear_sharpened_constant q) (INR M) (INR k) (INR T) ((1 + delta) ^ 2 * personal_constant).
  Proof.
    apply (col_linear_different_sharpened_agd M k X D agents_rewards T (lifted_dimension da own M) lifted_features wstar (INR M) HM Hk HD0 HD1
      (fun m => HR (agent_of m)) (fun m => HR01 (agent_of m)) lifted_linear lifted_norm lifted_star Hdim HT delta rounds Hdelta enough_rounds).
  Qed.
  (** col:linear_per, best, AGD, K >= 3. *)
  Theorem col_linear_per_best_agd : (3 <= k)%nat ->
    personal_Reg_T (personal_agd rounds) ((1 + delta) ^ 2 * personal_constant) (sqrt (Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms) / doubling_risk)) <=
      capped_sum (doubling_over_g (INR k)) M k T (different_risk M T ((1 + delta) ^ 2 * personal_constant)) <=
      linear_bound (doubling_over_g (INR k)) (INR M) (INR k) (INR T) ((1 + delta) ^ 2 * personal_constant).
  Proof.
    apply (col_linear_different_best_agd M k X D agents_rewards T (lifted_dimension da own M) lifted_features wstar (INR M) HM Hk HD0 HD1
      (fun m => HR (agent_of m)) (fun m => HR01 (agent_of m)) lifted_linear lifted_norm lifted_star Hdim HT delta rounds Hdelta enough_rounds).
  Qed.
  (** col:linear_per, best, AGD, two arms. *)
  Theorem col_linear_per_best_two_arms_agd : k = 2%nat ->
    personal_Reg_T (personal_agd rounds) ((1 + delta) ^ 2 * personal_constant) (sqrt (2 / 9)) <=
      capped_sum (3 / sqrt 2) M k T (different_risk M T ((1 + delta) ^ 2 * personal_constant)) <=
      linear_bound (3 / sqrt 2) (INR M) (INR k) (INR T) ((1 + delta) ^ 2 * personal_constant).
  Proof.
    apply (col_linear_different_best_two_arms_agd M k X D agents_rewards T (lifted_dimension da own M) lifted_features wstar (INR M) HM Hk HD0 HD1
      (fun m => HR (agent_of m)) (fun m => HR01 (agent_of m)) lifted_linear lifted_norm lifted_star Hdim HT delta rounds Hdelta enough_rounds).
  Qed.
End Personalised.
