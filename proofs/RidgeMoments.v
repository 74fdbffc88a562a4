(** * Ridge regression: how far the solution and its residuals are from the truth, in the mean

    n independent samples of any laws, |phi| <= 1, rewards phi'wstar + e with E e = 0 and E e^2 <= s2, lambda n = 1, w_S the solution.
    Main result: [ridge_moments], for all a, b, c >= 0, owners of the samples given by the design,

        E [ a (sum_j (phi_j'(w_S - wstar))^2 + |w_S - wstar|^2) + b sum_j e_j^2 + c sum_m |sum_{j of m} e_j phi_j|^2 ]
          <= a (s2 d + |wstar|^2) + b s2 n + c s2 n.

    LocalRidge.v bounds the start, the noise and the dissimilarity of local methods by these three sums.                      *)
From Coq Require Import Reals Lra Lia Psatz List Arith FunctionalExtensionality.
From FedIGW Require Import FiniteSums FiniteProbability AcceleratedGradient RidgeExcessRisk Exchangeability RidgeSamples RidgeDifferentLaws.
Import ListNotations.
Open Scope R_scope.

(** ** One design *)
Section Design.
  Variables (d N : nat) (phi : nat -> vector) (wstar : vector) (s2 : R).
  Hypothesis Hphi : forall j, (j < N)%nat -> square_norm d (phi j) <= 1.
  Variables (Omega : Type) (law : list (R * Omega)) (e : Omega -> nat -> R).
  Hypothesis Hlaw : distribution law.
  Hypothesis Hs2 : 0 <= s2.
  Hypothesis mean_zero : forall j, (j < N)%nat -> Expect law (fun w => e w j) = 0.
  Hypothesis uncorrelated : forall j k, (j < N)%nat -> (k < N)%nat -> j <> k -> Expect law (fun w => e w j * e w k) = 0.
  Hypothesis variance_bound : forall j, (j < N)%nat -> Expect law (fun w => e w j ^ 2) <= s2.

  (** E sum_jk c_jk e_j e_k <= s2 sum_j c_jj *)
  Lemma quadratic_mean (c : nat -> nat -> R) : (forall j, (j < N)%nat -> 0 <= c j j) ->
    Expect law (fun w => sum N (fun j => sum N (fun k => c j k * (e w j * e w k)))) <= s2 * sum N (fun j => c j j).
  Proof.
    intro Hc. rewrite Expect_sum, <- sum_scal. apply sum_le. intros j Hj. rewrite Expect_sum.
    rewrite (sum_ext N _ (fun k => if Nat.eq_dec k j then c k k * Expect law (fun w => e w k ^ 2) else 0)).
    - rewrite (sum_delta N j (fun k => c k k * Expect law (fun w => e w k ^ 2)) Hj). rewrite Rmult_comm.
      apply Rmult_le_compat_r; [apply Hc, Hj|apply variance_bound, Hj].
    - intros k Hk. rewrite Expect_scal. destruct (Nat.eq_dec k j) as [->|Hn].
      + f_equal. apply Expect_ext. intro. ring.
      + rewrite uncorrelated by auto. ring.
  Qed.
  Lemma linear_mean (c : nat -> R) : Expect law (fun w => sum N (fun j => c j * e w j)) = 0.
  Proof. rewrite Expect_sum, <- (sum_zero N). apply sum_ext. intros j Hj. rewrite Expect_scal, mean_zero by exact Hj. ring. Qed.

  (** v = w_S - wstar by its normal equations: A v = sum_j e_j phi_j - wstar *)
  Variable v : Omega -> vector.
  Hypothesis normal : forall w, solves d phi N (v w) (fun i => sum N (fun j => e w j * phi j i) + -1 * wstar i).
  Lemma against w c x : solves d phi N x c -> dot d c (v w) = sum N (fun j => e w j * dot d (phi j) x) - dot d wstar x.
  Proof.
    intro Hx. rewrite <- (solves_symmetric d phi N (v w) x _ c (normal w) Hx). rewrite dot_symmetric.
    rewrite (dot_plus d x (fun i => sum N (fun j => e w j * phi j i)) (fun i => -1 * wstar i)), (dot_sum d x N (e w) phi), dot_scal.
    rewrite (sum_ext N _ (fun j => e w j * dot d (phi j) x)) by (intros; rewrite (dot_symmetric d x); ring).
    rewrite (dot_symmetric d x wstar). ring.
  Qed.
  Definition energy (w : Omega) : R := sum N (fun j => dot d (phi j) (v w) ^ 2) + square_norm d (v w).
  Lemma energy_value w : energy w = sum N (fun j => sum N (fun k => dot d (phi k) (u d phi N j) * (e w j * e w k)))
    + (sum N (fun j => - (dot d wstar (u d phi N j) + dot d (phi j) (solve d phi N wstar)) * e w j) + dot d wstar (solve d phi N wstar)).
  Proof.
    assert (E0 : energy w = sum N (fun j => e w j * dot d (phi j) (v w)) - dot d wstar (v w)).
    { unfold energy. rewrite <- dot_self. rewrite (sum_ext N _ (fun j => dot d (phi j) (v w) * dot d (phi j) (v w))) by (intros; ring).
      rewrite <- dot_A, (dot_ext d (v w) (A d phi N (v w)) _ (normal w)).
      rewrite (dot_plus d (v w) (fun i => sum N (fun j => e w j * phi j i)) (fun i => -1 * wstar i)), (dot_sum d (v w) N (e w) phi), dot_scal.
      rewrite (sum_ext N (fun j => e w j * dot d (v w) (phi j)) (fun j => e w j * dot d (phi j) (v w))) by (intros; rewrite (dot_symmetric d (v w)); ring).
      rewrite (dot_symmetric d (v w) wstar). ring. }
    rewrite E0, (against w wstar (solve d phi N wstar) (solve_solves _ _ _ _)).
    rewrite (sum_ext N (fun j => e w j * dot d (phi j) (v w))
      (fun j => sum N (fun k => dot d (phi k) (u d phi N j) * (e w j * e w k)) - dot d wstar (u d phi N j) * e w j)).
    - rewrite sum_minus.
      rewrite (sum_ext N (fun j => - (dot d wstar (u d phi N j) + dot d (phi j) (solve d phi N wstar)) * e w j)
        (fun j => (-1) * (dot d wstar (u d phi N j) * e w j) + (-1) * (e w j * dot d (phi j) (solve d phi N wstar)))) by (intros; ring).
      rewrite sum_plus, !sum_scal. ring.
    - intros j Hj. rewrite (against w (phi j) (u d phi N j) (solve_solves _ _ _ _)).
      rewrite Rmult_minus_distr_l, <- sum_scal. rewrite (Rmult_comm (e w j) (dot d wstar _)). f_equal. apply sum_ext. intros. ring.
  Qed.
  Lemma truth_energy : dot d wstar (solve d phi N wstar) <= square_norm d wstar.
  Proof.
    set (s := solve d phi N wstar). pose proof (A_positive d phi N s) as P.
    rewrite (dot_ext d s (A d phi N s) wstar (solve_solves _ _ _ _)), (dot_symmetric d s) in P.
    pose proof (cauchy_schwarz d wstar s) as C. fold (dot d wstar s) in C. fold (square_norm d wstar) (square_norm d s) in C.
    pose proof (square_norm_nonneg d s). pose proof (square_norm_nonneg d wstar). set (x := dot d wstar s) in *.
    destruct (Rle_dec x 0) as [H1|H1]; [lra|]. apply (Rmult_le_reg_l x); [lra|].
    apply Rle_trans with (square_norm d wstar * square_norm d s); [lra|]. rewrite (Rmult_comm x). apply Rmult_le_compat_l; lra.
  Qed.
  (** E [ sum_j (phi_j'(w_S - wstar))^2 + |w_S - wstar|^2 ] <= s2 d + |wstar|^2 *)
  Lemma mean_energy : Expect law energy <= s2 * INR d + square_norm d wstar.
  Proof.
    rewrite (Expect_ext law energy _ energy_value), Expect_plus.
    pose proof (quadratic_mean (fun j k => dot d (phi k) (u d phi N j)) (fun j Hj => proj1 (h_bounds d phi N Hphi j Hj))) as H1.
    pose proof (h_trace d phi N) as H2. apply (Rmult_le_compat_l s2) in H2; [|exact Hs2].
    set (c := fun j => - (dot d wstar (u d phi N j) + dot d (phi j) (solve d phi N wstar))).
    match goal with |- _ + ?F <= _ => assert (L : F = Expect law (fun w => sum N (fun j => c j * e w j)) + dot d wstar (solve d phi N wstar))
      by (apply (Expect_plus_const law _ _ _ Hlaw); reflexivity); rewrite L end.
    rewrite linear_mean. pose proof truth_energy. cbv beta in H1. change (sum N (fun j => dot d (phi j) (u d phi N j))) with (sum N (h d phi N)) in H1. lra.
  Qed.
  Lemma mean_squares : Expect law (fun w => sum N (fun j => e w j ^ 2)) <= s2 * INR N.
  Proof. rewrite Expect_sum, Rmult_comm, <- sum_const. apply sum_le. intros j Hj. apply variance_bound, Hj. Qed.
  (** the noise of every owner's samples *)
  Variables (M : nat) (owner : nat -> nat).
  Definition owned (w : Omega) (m i : nat) : R := sum N (fun j => (if Nat.eq_dec (owner j) m then phi j i else 0) * e w j).
  Lemma one_owner k (x : R) : 0 <= x -> sum M (fun m => if Nat.eq_dec k m then x else 0) <= x.
  Proof.
    intro Hx. destruct (lt_dec k M) as [Hk|Hk].
    - rewrite (sum_ext M _ (fun m => if Nat.eq_dec m k then (fun _ => x) m else 0)); [rewrite (sum_delta M k (fun _ => x) Hk); lra|].
      intros m _. destruct (Nat.eq_dec k m), (Nat.eq_dec m k); congruence.
    - rewrite (sum_ext M _ (fun _ => 0)); [rewrite sum_zero; exact Hx|]. intros m Hm. destruct (Nat.eq_dec k m); [lia|reflexivity].
  Qed.
  Lemma mean_owned : Expect law (fun w => sum M (fun m => square_norm d (owned w m))) <= s2 * INR N.
  Proof.
    rewrite Expect_sum.
    apply Rle_trans with (sum M (fun m => s2 * sum N (fun j => if Nat.eq_dec (owner j) m then square_norm d (phi j) else 0))).
    - apply sum_le. intros m _. unfold square_norm at 1. rewrite Expect_sum.
      rewrite (sum_ext N _ (fun j => sum d (fun i => (if Nat.eq_dec (owner j) m then phi j i else 0) ^ 2))).
      + rewrite sum_swap, <- sum_scal. apply sum_le. intros i _.
        pose proof (noise_square N s2 Omega law e Hlaw mean_zero uncorrelated variance_bound (fun j => if Nat.eq_dec (owner j) m then phi j i else 0) 0) as H.
        cbv beta in H. rewrite (Expect_ext law _ (fun w => owned w m i ^ 2)) in H by (intro w; unfold owned; rewrite Rplus_0_r; reflexivity). lra.
      + intros j _. destruct (Nat.eq_dec (owner j) m); [reflexivity|]. rewrite (sum_ext d _ (fun _ => 0)) by (intros; ring). rewrite sum_zero. reflexivity.
    - rewrite sum_scal. apply Rmult_le_compat_l; [exact Hs2|]. rewrite sum_swap. replace (INR N) with (sum N (fun _ => 1)) by (rewrite sum_const; ring).
      apply sum_le. intros j Hj. eapply Rle_trans; [apply one_owner, square_norm_nonneg|apply Hphi, Hj].
  Qed.
End Design.

(** ** Independent samples of any laws *)
Section Samples.
  Context {Y : Type} (feat : Y -> vector) (y0 : Y).
  Variables (d : nat) (wstar : vector) (s2 : R).
  Variables (Qs : list (list (R * Y))) (rew : Y -> list (R * R)) (M : nat) (owner : Y -> nat).
  Hypothesis HQs : Forall distribution Qs.
  Hypothesis Hfeat : forall y, square_norm d (feat y) <= 1.
  Hypothesis Hrew : forall p, distribution (rew p).
  Hypothesis Hmean : forall p, Expect (rew p) (fun r => r) = dot d (feat p) wstar.
  Hypothesis Hvar : forall p, Expect (rew p) (fun r => (r - dot d (feat p) wstar) ^ 2) <= s2.
  Hypothesis Hs2 : 0 <= s2.
  Let n := length Qs.
  (** of the data t, at the solution w: sum_j (phi_j'(w - wstar))^2 + |w - wstar|^2; sum_j e_j^2; sum_m |sum_{j of m} e_j phi_j|^2 *)
  Definition surprise (t : list (Y * R)) (j : nat) : R := snd (nth j t (nowhere y0)) - dot d (at_point feat y0 t j) wstar.
  Definition data_energy (t : list (Y * R)) : R :=
    sum n (fun j => dot d (at_point feat y0 t j) (minus (ridge_fit feat y0 d n t) wstar) ^ 2) + square_norm d (minus (ridge_fit feat y0 d n t) wstar).
  Definition data_squares (t : list (Y * R)) : R := sum n (fun j => surprise t j ^ 2).
  Definition data_owned (t : list (Y * R)) : R := sum M (fun m => square_norm d (fun i =>
    sum n (fun j => (if Nat.eq_dec (owner (fst (nth j t (nowhere y0)))) m then at_point feat y0 t j i else 0) * surprise t j))).
  Definition three_sums (a b c : R) (t : list (Y * R)) : R := a * data_energy t + b * data_squares t + c * data_owned t.

  Lemma design_moments ps a b c : 0 <= a -> 0 <= b -> 0 <= c -> length ps = n ->
    Expect (rewards_law rew ps) (three_sums a b c) <= a * (s2 * INR d + square_norm d wstar) + b * (s2 * INR n) + c * (s2 * INR n).
  Proof.
    intros Ha Hb Hc Hl. set (e := noise feat y0 d wstar ps). set (phi := feature_at feat y0 ps).
    assert (Hphi : forall j, (j < n)%nat -> square_norm d (phi j) <= 1) by (intros; apply Hfeat).
    pose proof (distribution_rewards rew Hrew ps) as Hlaw.
    pose proof (fun j (Hj : (j < n)%nat) => noise_mean feat y0 d wstar rew Hrew Hmean ps j ltac:(lia)) as Z.
    pose proof (fun j k (Hj : (j < n)%nat) (Hk : (k < n)%nat) Hne => noise_uncorrelated feat y0 d wstar rew Hrew Hmean ps j k ltac:(lia) ltac:(lia) Hne) as U.
    pose proof (fun j (Hj : (j < n)%nat) => noise_variance feat y0 d wstar s2 rew Hrew Hvar ps j ltac:(lia)) as V. fold e in Z, U, V.
    set (v := fun t : list point => minus (ridge_solution d n phi (fun j => snd (nth j t (nowhere y0)))) wstar).
    assert (Nv : forall t, solves d phi n (v t) (fun i => sum n (fun j => e t j * phi j i) + -1 * wstar i)).
    { intros t i Hi. pose proof (solve_solves d phi n (fun i => sum n (fun j => snd (nth j t (nowhere y0)) * phi j i)) i Hi) as E. unfold A in *.
      change (solve d phi n (fun i => sum n (fun j => snd (nth j t (nowhere y0)) * phi j i))) with (ridge_solution d n phi (fun j => snd (nth j t (nowhere y0)))) in E.
      set (w := ridge_solution d n phi (fun j => snd (nth j t (nowhere y0)))) in *. unfold v. fold w.
      rewrite (sum_ext n _ (fun j => dot d (phi j) w * phi j i - dot d (phi j) wstar * phi j i)) by (intros; rewrite dot_minus; ring).
      rewrite (sum_ext n (fun j => e t j * phi j i) (fun j => snd (nth j t (nowhere y0)) * phi j i - dot d (phi j) wstar * phi j i))
        by (intros; unfold e, noise; fold (phi i0); ring).
      rewrite !sum_minus. unfold minus. lra. }
    pose proof (mean_energy d n phi wstar s2 Hphi _ _ e Hlaw Hs2 Z U V v Nv) as H1.
    pose proof (mean_squares n s2 _ _ e V) as H2.
    pose proof (mean_owned d n phi s2 Hphi _ _ e Hlaw Hs2 Z U V M (fun j => owner (nth j ps y0))) as H3.
    apply (Rmult_le_compat_l a) in H1; [|exact Ha]. apply (Rmult_le_compat_l b) in H2; [|exact Hb]. apply (Rmult_le_compat_l c) in H3; [|exact Hc].
    eapply Rle_trans; [|apply Rplus_le_compat; [apply Rplus_le_compat; [exact H1|exact H2]|exact H3]].
    rewrite <- !Expect_scal, <- !Expect_plus. right. apply Expect_ext_on_support. eapply Forall_impl; [|apply rewards_support].
    intros [q t] Ht. simpl in Ht. cbn [snd].
    assert (Hat : forall j, at_point feat y0 t j = phi j)
      by (intro j; unfold at_point, phi, feature_at; rewrite <- Ht; f_equal; symmetry; apply (map_nth fst t (nowhere y0) j)).
    assert (Hs : forall j, surprise t j = e t j) by (intro j; unfold surprise; rewrite Hat; reflexivity).
    assert (Ho : forall j, owner (fst (nth j t (nowhere y0))) = owner (nth j ps y0))
      by (intro j; rewrite <- Ht; f_equal; symmetry; apply (map_nth fst t (nowhere y0) j)).
    assert (Hf : ridge_fit feat y0 d n t = ridge_solution d n phi (fun j => snd (nth j t (nowhere y0)))).
    { unfold ridge_fit. f_equal. apply functional_extensionality. exact Hat. }
    unfold three_sums, data_energy, data_squares, data_owned, energy. rewrite Hf. fold (v t). f_equal; [f_equal; f_equal|f_equal].
    - f_equal. apply sum_ext. intros j _. rewrite Hat. reflexivity.
    - apply sum_ext. intros j _. rewrite Hs. reflexivity.
    - apply sum_ext. intros m _. f_equal. apply functional_extensionality. intro i. unfold owned. apply sum_ext. intros j _. rewrite Ho, Hat, Hs. reflexivity.
  Qed.
  (** With a weight T >= 0 that depends on the designs only. *)
  Theorem weighted_moments (T : list Y -> R) a b c rest : (forall ps, 0 <= T ps) -> 0 <= a -> 0 <= b -> 0 <= c ->
    Expect (product (map (fun Q => point_law Q rew) Qs)) (fun t => T (map fst t) * (three_sums a b c t + rest)) <=
      Expect (product Qs) T * (a * (s2 * INR d + square_norm d wstar) + b * (s2 * INR n) + c * (s2 * INR n) + rest).
  Proof.
    intros HT Ha Hb Hc. rewrite (designs_first rew Qs). pose proof (distribution_product Qs HQs) as Hd. rewrite (Rmult_comm (Expect _ T)), <- Expect_scal.
    apply Expect_le_on_support; [apply Hd|]. eapply Forall_impl; [|apply product_length]. intros [p ps] Hl. cbn [snd] in *.
    rewrite (Expect_ext_on_support (rewards_law rew ps) _ (fun t : list point => T ps * (three_sums a b c t + rest)))
      by (eapply Forall_impl; [|apply rewards_support]; intros [q t] Ht; cbn [snd] in *; rewrite Ht; reflexivity).
    rewrite Expect_scal, (Expect_plus_const _ (fun t : list point => three_sums a b c t + rest) (three_sums a b c) rest (distribution_rewards rew Hrew ps)) by reflexivity.
    rewrite Rmult_comm. apply Rmult_le_compat_r; [apply HT|]. apply Rplus_le_compat_r. apply design_moments; assumption.
  Qed.
  (** The mean of the three sums over the samples' laws. *)
  Theorem ridge_moments a b c : 0 <= a -> 0 <= b -> 0 <= c ->
    Expect (product (map (fun Q => point_law Q rew) Qs)) (three_sums a b c) <=
      a * (s2 * INR d + square_norm d wstar) + b * (s2 * INR n) + c * (s2 * INR n).
  Proof.
    intros Ha Hb Hc. pose proof (weighted_moments (fun _ => 1) a b c 0 (fun _ => Rle_0_1) Ha Hb Hc) as H.
    eapply Rle_trans; [|eapply Rle_trans; [exact H|rewrite (Expect_const _ 1 (distribution_product Qs HQs)); right; ring]]. right. apply Expect_ext. intro t. ring.
  Qed.
End Samples.
